#include "connected_graph/onnx/yielded_types.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/output_types_table.h"

#include <model_validator/data/dtype.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <unordered_map>

namespace model_validator::onnx_format {
namespace {

using ::onnx::TensorProto;

std::string_view rule_of(const ::onnx::NodeProto& node) {
  static const auto rules = [] {
    std::unordered_map<std::string_view, std::string_view> read;
    for (std::string_view text = output_types_table.substr(1); !text.empty();) {
      std::string_view line = take_before('\n', text);
      const std::string_view rule = take_before(':', line);
      for (const std::string_view type : words_in(line.substr(1))) read.emplace(type, rule);
    }
    return read;
  }();
  const bool own = is_default_domain(node.domain());
  const auto rule = rules.find(own ? node.op_type() : schema_of(node));
  return rule == rules.end() ? "?" : rule->second;
}

/// The words of the table for types: ONNX's, which are ours but for two.
int type_named(std::string_view name) {
  const auto dtype = dtype_named(name == "float" ? "float32" : name == "double" ? "float64" : name);
  return dtype ? facts_of(*dtype).onnx : static_cast<int>(TensorProto::UNDEFINED);
}

int type_of_constant(const FindAttribute& find) {
  if (const auto* tensor = find("value"); tensor != nullptr) return tensor->t().data_type();
  if (const auto* sparse = find("sparse_value"); sparse != nullptr)
    return sparse->sparse_tensor().values().data_type();
  for (const char* name : {"value_float", "value_floats"})
    if (find(name) != nullptr) return TensorProto::FLOAT;
  for (const char* name : {"value_int", "value_ints"})
    if (find(name) != nullptr) return TensorProto::INT64;
  for (const char* name : {"value_string", "value_strings"})
    if (find(name) != nullptr) return TensorProto::STRING;
  return TensorProto::UNDEFINED;
}

bool has_input(const ::onnx::NodeProto& node, std::size_t number) {
  return number < static_cast<std::size_t>(node.input_size()) &&
         !node.input(static_cast<int>(number)).empty();
}

KnownType fixed(int type) { return type == TensorProto::UNDEFINED ? KnownType{} : tensor_of(type); }

KnownType told_by(const ::onnx::AttributeProto& attribute) {
  if (attribute.has_tp()) return declared_type(attribute.tp());
  return fixed(attribute.has_t() ? attribute.t().data_type() : static_cast<int>(attribute.i()));
}

YieldedType type_by(std::string_view word, const ::onnx::NodeProto& node,
                    const FindAttribute& find);

/// `[0` is a sequence of input 0, `*0` what that holds, and `?0` an optional of it.
YieldedType type_around(std::string_view word, const ::onnx::NodeProto& node,
                        const FindAttribute& find) {
  const char mark = word.front();
  YieldedType found = type_by(word.substr(1), node, find);
  found.made = mark == '[' ? sequence_of : mark == '*' ? held_by : optional_of;
  return found;
}

/// The meaning of one word of a rule, `2/uint8` or `dtype=0`.
YieldedType type_by(std::string_view word, const ::onnx::NodeProto& node,
                    const FindAttribute& find) {
  if (word.empty() || word == "?") return {};
  if (std::string_view("[*?").find(word.front()) != std::string_view::npos)
    return type_around(word, node, find);
  if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
    const auto slash = std::min(word.find('/'), word.size());
    std::size_t number = 0;
    std::from_chars(word.data(), word.data() + slash, number);
    if (has_input(node, number) || slash == word.size()) return {.input = number};
    return {.type = fixed(type_named(word.substr(slash + 1)))};
  }
  if (const int type = type_named(word); type != TensorProto::UNDEFINED)
    return {.type = fixed(type)};
  const auto equals = std::min(word.find('='), word.size());
  if (const auto* given = find(word.substr(0, equals))) return {.type = told_by(*given)};
  return equals < word.size() ? type_by(word.substr(equals + 1), node, find) : YieldedType{};
}

} // namespace

std::vector<YieldedType> yielded_types(const ::onnx::NodeProto& node, const FindAttribute& find) {
  if (schema_of(node) == "onnx::Constant") return {{.type = fixed(type_of_constant(find))}};
  std::string_view rule = rule_of(node);
  std::vector<YieldedType> types;
  std::string_view word;
  for (int i = 0; i < node.output_size(); ++i) {
    if (!rule.empty()) word = take_before(' ', rule);
    types.push_back(type_by(word, node, find));
  }
  return types;
}

} // namespace model_validator::onnx_format
