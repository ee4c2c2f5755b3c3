#include "rules/judging/node_schema.h"

#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"
#include "connected_graph/value_kind.h"
#include "rules/judging/attribute_words.h"
#include "text/lists.h"
#include "text/plural.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace model_validator::rules {
namespace {

using Parameter = OperatorVersion::Parameter;
using Parameters = std::vector<Parameter>;

std::string operator_name(NodeView node) { return std::string(bare_operator(node->schema)); }

/// `i`, `f`, `s`, and with another `s` a list of them; empty for others.
std::string kind_of(const AttributeValue& value) {
  if (std::holds_alternative<std::int64_t>(value)) return "i";
  if (std::holds_alternative<double>(value)) return "f";
  if (std::holds_alternative<std::string>(value)) return "s";
  if (std::holds_alternative<std::vector<std::int64_t>>(value)) return "is";
  if (std::holds_alternative<std::vector<double>>(value)) return "fs";
  if (std::holds_alternative<std::vector<std::string>>(value)) return "ss";
  return {};
}

/// `an integer` of `i`, `a list of integers` of `is`.
std::string kind_in_words(std::string_view kind) {
  static const std::map<std::string_view, std::pair<const char*, const char*>> words{
      {"i", {"an integer", "integers"}}, {"f", {"a float", "floats"}},
      {"s", {"a string", "strings"}},    {"t", {"a tensor", "tensors"}},
      {"g", {"a graph", "graphs"}},      {"st", {"a sparse tensor", "sparse tensors"}},
      {"tp", {"a type", "types"}}};
  if (const auto one = words.find(kind); one != words.end()) return one->second.first;
  return std::string("a list of ") + words.at(kind.substr(0, kind.size() - 1)).second;
}

std::optional<SchemaBreach> breach_of_word(const AttributeWords& allowed, NodeView node,
                                           const std::string& attribute, const std::string& word) {
  if (word.empty() || allowed.allow(word)) return std::nullopt; // none stands for the default
  std::string list(allowed.words);
  for (std::size_t at = 0; (at = list.find(' ', at)) != std::string::npos; at += 2)
    list.replace(at, 1, ", ");
  return SchemaBreach{allowed.allow_in_any_case(word) ? "attribute-case"
                      : allowed.by_onnx_runtime_alone ? "attribute-word-own"
                                                      : "attribute-word",
                      "Invalid '" + attribute + "' attribute value: " + word + " for operator " +
                          operator_name(node),
                      "the attribute `" + attribute + "` is `" + word + "`, and must be one of " +
                          list,
                      attribute, word};
}

/// A rounding of coordinates means nothing unless the nearest number is taken.
bool is_passed_over(NodeView node, const std::string& attribute) {
  if (attribute != "nearest_mode") return false;
  const auto* mode = find_attribute<std::string>(node->attributes, "mode");
  return mode != nullptr && *mode != "nearest";
}

/// Whether a text, or each of a list, is one of the words that may stand there.
std::optional<SchemaBreach> breach_of_words(const OperatorVersion& version, NodeView node,
                                            const Attribute& attribute) {
  const AttributeWords allowed = words_of(bare_operator(node->schema), attribute.name, version);
  if (allowed.words.empty() || is_passed_over(node, attribute.name)) return std::nullopt;
  if (const auto* word = std::get_if<std::string>(&attribute.value))
    return breach_of_word(allowed, node, attribute.name, *word);
  if (const auto* words = std::get_if<std::vector<std::string>>(&attribute.value))
    for (const std::string& each : *words)
      if (auto breach = breach_of_word(allowed, node, attribute.name, each)) return breach;
  return std::nullopt;
}

constexpr std::string_view dtype_attributes[] = {"dtype", "output_datatype", "output_dtype", "to"};

/// Whether the number of a dtype is one that ONNX has. 0 stands for the default where there is one.
std::optional<SchemaBreach> breach_of_dtype(NodeView node, const Attribute& attribute) {
  const auto* number = std::get_if<std::int64_t>(&attribute.value);
  if (number == nullptr || !node->schema.starts_with("onnx::") ||
      std::find(std::begin(dtype_attributes), std::end(dtype_attributes), attribute.name) ==
          std::end(dtype_attributes))
    return std::nullopt;
  const bool is_default = *number == 0 && attribute.name != "to";
  if (is_default || dtype_numbered(&DTypeFacts::onnx, *number)) return std::nullopt;
  return SchemaBreach{"attribute-dtype",
                      "Node (" + node->name + ") Op (" + operator_name(node) +
                          ") [TypeInferenceError] Attribute " + attribute.name +
                          " does not specify a valid type in .",
                      "the attribute `" + attribute.name + "` is " + std::to_string(*number) +
                          ", which is the number of no dtype",
                      attribute.name};
}

std::optional<SchemaBreach> breach_of_name(const OperatorVersion& version, NodeView node,
                                           const std::string& attribute) {
  if (version.attributes.contains(attribute) || version.any_attribute ||
      attribute.starts_with("__")) // runtimes keep their own notes under such names
    return std::nullopt;
  return SchemaBreach{"attribute-unknown",
                      "Unrecognized attribute: " + attribute + " for operator " +
                          operator_name(node),
                      "it has no attribute `" + attribute + "`", attribute};
}

std::optional<SchemaBreach> breach_of_attributes(const OperatorVersion& version, NodeView node) {
  for (const std::string& name : node->opaque)
    if (auto breach = breach_of_name(version, node, name)) return breach;
  for (const Attribute& each : node->attributes) {
    if (auto breach = breach_of_name(version, node, each.name)) return breach;
    const auto known = version.attributes.find(each.name);
    if (known == version.attributes.end()) continue;
    const std::string kind = kind_of(each.value);
    if (!kind.empty() && known->second.kind != "?" && kind != known->second.kind)
      return SchemaBreach{"attribute-kind",
                          "Mismatched attribute type in '" + operator_name(node) + " : " +
                              each.name + "'",
                          "the attribute `" + each.name + "` is " + kind_in_words(kind) +
                              ", and must be " + kind_in_words(known->second.kind),
                          kind + " for " + known->second.kind, each.name};
    if (auto breach = breach_of_words(version, node, each)) return breach;
    if (auto breach = breach_of_dtype(node, each)) return breach;
  }
  for (const auto& [name, attribute] : version.attributes)
    if (attribute.required && node.attribute(name) == nullptr)
      return SchemaBreach{"attribute-missing", "Required attribute '" + name + "' is missing.",
                          "the attribute `" + name + "` is missing", name};
  return std::nullopt;
}

std::size_t least(const Parameters& parameters) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].kind == Parameter::Kind::required)
      count = i + 1;
    else if (parameters[i].kind == Parameter::Kind::variadic && parameters[i].least > 0)
      count = i + parameters[i].least;
  return count;
}

std::string count_in_words(std::size_t count, std::size_t fewest, std::size_t most,
                           const std::string& what) {
  const bool few = count < fewest;
  return "it has " + plural(count, what) + ", and takes " +
         (fewest == most ? ""
          : few          ? "at least "
                         : "at most ") +
         std::to_string(few ? fewest : most);
}

std::optional<SchemaBreach> breach_of_count(const Parameters& parameters, std::size_t count,
                                            NodeView node, bool of_inputs) {
  const std::string what = of_inputs ? "input" : "output";
  const bool endless = !parameters.empty() && parameters.back().kind == Parameter::Kind::variadic;
  const std::size_t fewest = least(parameters);
  if (count < fewest || (!endless && count > parameters.size()))
    return SchemaBreach{what + (count < fewest ? "-missing" : "-more"),
                        "Node (" + node->name + ") with operator " + operator_name(node) + " has " +
                            what + " size " + std::to_string(count) +
                            " not in range [min=" + std::to_string(fewest) +
                            (endless ? "]" : ", max=" + std::to_string(parameters.size()) + "]"),
                        count_in_words(count, fewest, endless ? none : parameters.size(), what),
                        std::to_string(count)};
  for (std::size_t i = 0; i < count; ++i)
    if (const Parameter* formal = parameter_of(parameters, i);
        (of_inputs ? node.input(i) : node.output(i)) == nullptr &&
        formal->kind != Parameter::Kind::optional &&
        (of_inputs || formal->kind == Parameter::Kind::required))
      return SchemaBreach{what + "-missing",
                          "Node (" + node->name + ")'s " + what + " " + std::to_string(i) +
                              " is marked single but has an empty string in the graph",
                          what + " " + std::to_string(i) + " is left out", std::to_string(i)};
  return std::nullopt;
}

/// `Split` is told its parts in one of two ways. OpenVINO goes by their number alone.
std::optional<SchemaBreach> breach_of_split(NodeView node) {
  if (node->schema != "onnx::Split" || node.input(1) == nullptr) return std::nullopt;
  if (find_attribute(node->attributes, "num_outputs") == nullptr) return std::nullopt;
  const auto count = integer_of(node->attributes, "num_outputs");
  const bool agrees = count == static_cast<std::int64_t>(node->outputs.size());
  return SchemaBreach{agrees ? "split-twice" : "split-contradicted",
                      "If 'num_outputs' is specified, the 'split' input should not be provided.",
                      "the attribute `num_outputs` and the input `split` exclude each other"};
}

/// An `Optional` that holds nothing says what it might hold.
std::optional<SchemaBreach> breach_of_optional(NodeView node) {
  if (node->schema != "onnx::Optional" || node.input(0) != nullptr ||
      contains(node->opaque, "type"))
    return std::nullopt;
  return SchemaBreach{"attribute-missing",
                      "Optional is expected to have either an input or the type attribute set.",
                      "it has neither an input nor the attribute `type`", "type"};
}

class Types {
public:
  Types(const OperatorVersion& version, NodeView node) : version_(version), node_(node) {}

  std::optional<SchemaBreach> breach() {
    for (std::size_t i = 0; i < node_->input_count(); ++i)
      if (const ProgramValue* operand = node_.input(i))
        if (std::optional<SchemaBreach> breach =
                takes(*parameter_of(version_.inputs, i), *operand, i))
          return breach;
    for (std::size_t i = 0; i < node_->outputs.size(); ++i)
      if (const ProgramValue* result = node_.output(i))
        if (std::optional<SchemaBreach> breach =
                yields(*parameter_of(version_.outputs, i), *result, i))
          return breach;
    return std::nullopt;
  }

private:
  std::optional<SchemaBreach> takes(const Parameter& formal, const ProgramValue& operand,
                                    std::size_t number) {
    const char kind = static_cast<char>(operand.kind);
    if (operand.kind != ValueKind::unknown && !formal.kinds.empty() &&
        formal.kinds.find(kind) == std::string::npos)
      return is_of_kind(formal, operand, number);
    if (operand.type.dtype.empty()) return std::nullopt;
    return bind(formal, operand.type.dtype, number);
  }

  SchemaBreach is_of_kind(const Parameter& formal, const ProgramValue& operand,
                          std::size_t number) const {
    const std::string wanted = in_words(static_cast<ValueKind>(formal.kinds.front()));
    return {"value-kind",
            "Type Error: Type '" + type_in_words(operand.kind, operand.type.dtype) +
                "' of input parameter (" + std::to_string(number) + ") of operator (" +
                operator_name(node_) + ") is invalid.",
            "input " + std::to_string(number) + " is " + in_words(operand.kind) + ", and must be " +
                wanted,
            std::to_string(number), in_words(operand.kind) + " for " + wanted};
  }

  /// The dtype that an output has; null where its definition and the inputs leave that open.
  const std::string* expected(const Parameter& formal) const {
    const auto allowed = version_.allowed.find(formal.type);
    if (allowed == version_.allowed.end()) return &formal.type;
    if (const auto bound = bound_.find(formal.type); bound != bound_.end())
      return &bound->second.dtype;
    return allowed->second->size() == 1 ? &allowed->second->front() : nullptr;
  }

  /// Whether what is declared of a result agrees with what it is.
  std::optional<SchemaBreach> yields(const Parameter& formal, const ProgramValue& result,
                                     std::size_t number) const {
    const std::string& dtype = result.type.dtype;
    if (!result.other_type.empty())
      return declared_wrongly(result.other_type, type_in_words(result.kind, dtype), number);
    if (dtype.empty() || formal.type == "any" || !formal.homogeneous) return std::nullopt;
    const std::string* own = expected(formal);
    if (own == nullptr || *own == dtype) return std::nullopt;
    return declared_wrongly(dtype, *own, number);
  }

  SchemaBreach declared_wrongly(const std::string& declared, const std::string& own,
                                std::size_t number) const {
    return {"output-dtype",
            "Type Error: Type (" + declared + ") of output arg (" + std::to_string(number) +
                ") of operator (" + operator_name(node_) + ") does not match expected type (" +
                own + ")",
            "output " + std::to_string(number) + " is declared " + declared + ", and is " + own,
            declared + " " + own};
  }

  std::optional<SchemaBreach> bind(const Parameter& formal, const std::string& dtype,
                                   std::size_t number) {
    if (formal.type == "any") return std::nullopt;
    const auto allowed = version_.allowed.find(formal.type);
    const bool variable = allowed != version_.allowed.end();
    if (variable ? !contains(*allowed->second, dtype) : formal.type != dtype)
      return SchemaBreach{"dtype",
                          "Type Error: Type '" + dtype + "' of input parameter (" +
                              std::to_string(number) + ") of operator (" + operator_name(node_) +
                              ") is invalid.",
                          "input " + std::to_string(number) + " is " + dtype + ", and must be " +
                              (variable ? one_of(*allowed->second) : formal.type),
                          std::to_string(number), dtype + alike_or_stored(formal, number)};
    if (!variable || !formal.homogeneous) return std::nullopt;
    const Bound& bound = bound_.try_emplace(formal.type, Bound{dtype, number}).first->second;
    if (bound.dtype == dtype) return std::nullopt;
    return SchemaBreach{
        is_wide(bound.dtype) && is_wide(dtype) ? "dtypes-wide" : "dtypes",
        "Type Error: Type parameter (" + formal.type + ") of Optype (" + operator_name(node_) +
            ") bound to different types (" + bound.dtype + " and " + dtype + ")",
        "input " + std::to_string(bound.number) + " is " + bound.dtype + " and input " +
            std::to_string(number) + " is " + dtype + ", where both must have one dtype",
        std::to_string(bound.number) + " " + std::to_string(number),
        bound.dtype + " " + dtype + stored(number)};
  }

  /// Whether all operands that may be several have a dtype in common: a runtime may compute in one
  /// that the operator lacks, and yet refuse operands of unlike ones.
  bool agree(const Parameter& shared) const {
    std::size_t count = 0;
    std::string common;
    for (std::size_t i = 0; i < node_->input_count(); ++i) {
      const ProgramValue* operand = node_.input(i);
      const Parameter& formal = *parameter_of(version_.inputs, i);
      if (operand == nullptr || formal.type != shared.type || !formal.homogeneous) continue;
      if (count++ > 0 && operand->type.dtype != common) return false;
      common = operand->type.dtype;
    }
    return count > 1 || shared.kind == Parameter::Kind::variadic;
  }

  const char* alike_or_stored(const Parameter& formal, std::size_t number) const {
    return agree(formal) ? " alike" : stored(number);
  }

  /// A runtime may cast what the file stores.
  const char* stored(std::size_t number) const {
    return node_.input(number)->constant() ? " stored" : "";
  }

  static bool is_wide(const std::string& dtype) { return dtype == "float32" || dtype == "float64"; }

  static std::string one_of(const std::vector<std::string>& dtypes) {
    return dtypes.size() > 1 ? "one of " + joined(dtypes, ", ") : joined(dtypes, ", ");
  }

  const OperatorVersion& version_;
  NodeView node_;
  struct Bound {
    std::string dtype;
    std::size_t number; ///< of the input that it is bound by
  };
  std::map<std::string, Bound> bound_;
};

} // namespace

const Parameter* parameter_of(const Parameters& parameters, std::size_t number) {
  if (number < parameters.size()) return &parameters[number];
  const bool endless = !parameters.empty() && parameters.back().kind == Parameter::Kind::variadic;
  return endless ? &parameters.back() : nullptr;
}

/// An input that is missing may be there as an attribute, as in an older opset.
std::optional<SchemaBreach> breach_of_inputs(const OperatorVersion& version, NodeView node) {
  auto breach = breach_of_count(version.inputs, node->input_count(), node, true);
  const auto is_unknown = [&](const auto& each) {
    return breach_of_name(version, node, each.name).has_value();
  };
  if (breach && breach->kind == "input-missing" &&
      std::ranges::any_of(node->attributes, is_unknown))
    breach->what = "beside an attribute";
  return breach;
}

std::optional<SchemaBreach> breach_of_schema(const OperatorVersion& version, NodeView node) {
  if (auto breach = breach_of_inputs(version, node)) return breach;
  if (auto breach = breach_of_count(version.outputs, node->outputs.size(), node, false))
    return breach;
  if (auto breach = breach_of_attributes(version, node)) return breach;
  if (auto breach = breach_of_split(node)) return breach;
  if (auto breach = breach_of_optional(node)) return breach;
  return Types(version, node).breach();
}

} // namespace model_validator::rules
