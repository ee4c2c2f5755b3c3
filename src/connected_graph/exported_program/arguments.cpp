#include "connected_graph/exported_program/arguments.h"

#include "files/whole_number.h"

#include <model_validator/data/dtype.h>
#include <model_validator/data/words.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace model_validator::exported_program {
namespace {

using Json = nlohmann::json;

std::string tensor_name(const Json& optional_tensor) {
  const auto found = optional_tensor.find("as_tensor");
  return found == optional_tensor.end() ? std::string{} : found->at("name").get<std::string>();
}

/// A known number, or the name of an unknown one.
void add_symbolic(const Json& json, Argument& to) {
  if (const auto name = json.find("as_name"); name != json.end())
    to.symbols.push_back(name->get<std::string>());
}

/// A list of numbers, -1 for unknown ones.
void add_symbolic_integers(const Json& list, Argument& to) {
  std::vector<std::int64_t> values;
  for (const Json& element : list) {
    add_symbolic(element, to);
    values.push_back(whole_number(element, "as_int", std::int64_t{-1}));
  }
  to.value = std::move(values);
}

std::string memory_format(int number) {
  constexpr std::array<const char*, 5> names{"", "contiguous_format", "channels_last",
                                             "channels_last_3d", "preserve_format"};
  return number > 0 && number < 5 ? names[static_cast<std::size_t>(number)] : "";
}

void take_tensors(const std::string& kind, const Json& value, Argument& to) {
  if (kind == "as_tensor") to.tensors.push_back(value.at("name"));
  if (kind == "as_tensors")
    for (const Json& tensor : value) to.tensors.push_back(tensor.at("name"));
  if (kind == "as_nested_tensors")
    for (const Json& list : value)
      for (const Json& tensor : list) to.tensors.push_back(tensor.at("name"));
  if (kind == "as_optional_tensor") to.tensors.push_back(tensor_name(value));
  if (kind == "as_optional_tensors")
    for (const Json& tensor : value) to.tensors.push_back(tensor_name(tensor));
}

/// What is known of a symbol.
void take_number(const Json& value, Argument& to) {
  if (value.contains("as_int")) to.value = whole_number<std::int64_t>(value["as_int"]);
  if (value.contains("as_bool")) to.value = value["as_bool"].get<bool>();
  if (value.contains("as_float")) to.value = value["as_float"].get<double>();
}

void take_symbols(const std::string& kind, const Json& value, Argument& to) {
  if (kind == "as_sym_int" || kind == "as_sym_bool" || kind == "as_sym_float") {
    add_symbolic(value, to);
    take_number(value, to);
  }
  if (kind == "as_sym_ints") add_symbolic_integers(value, to);
  if (kind == "as_sym_bools" || kind == "as_sym_floats")
    for (const Json& element : value) add_symbolic(element, to);
}

/// What the schema of torch.export calls each constant, and how its value is written.
struct ConstantKind {
  std::string_view name;
  AttributeValue (*value_of)(const Json&);
};

template <class T> AttributeValue held_as(const Json& json) { return json.get<T>(); }

/// JSON has no infinities and no NaN: they are written as strings.
AttributeValue real_or_text(const Json& json) {
  return json.is_string() ? held_as<std::string>(json) : held_as<double>(json);
}

constexpr auto constant_kinds = std::to_array<ConstantKind>({
    {"as_none", [](const Json&) { return AttributeValue{}; }},
    {"as_int", held_as<std::int64_t>},
    {"as_float", real_or_text},
    {"as_bool", held_as<bool>},
    {"as_string", held_as<std::string>},
    {"as_operator", held_as<std::string>},
    {"as_complex",
     [](const Json& json) {
       return AttributeValue(
           std::vector<double>{json.at("real").get<double>(), json.at("imag").get<double>()});
     }},
    {"as_ints", held_as<std::vector<std::int64_t>>},
    {"as_floats", held_as<std::vector<double>>},
    {"as_bools", held_as<std::vector<bool>>},
    {"as_strings", held_as<std::vector<std::string>>},
    {"as_scalar_type",
     [](const Json& json) { return AttributeValue(dtype_name(whole_number<int>(json))); }},
    {"as_memory_format",
     [](const Json& json) { return AttributeValue(memory_format(whole_number<int>(json))); }},
    {"as_layout", held_as<std::int64_t>},
    {"as_device", [](const Json& json) { return held_as<std::string>(json.at("type")); }},
});

void take_constant(const std::string& name, const Json& value, Argument& to) {
  const auto* kind = std::find_if(constant_kinds.begin(), constant_kinds.end(),
                                  [&name](const ConstantKind& each) { return each.name == name; });
  if (kind != constant_kinds.end()) to.value = kind->value_of(value);
}

std::string normalised_path(std::string path) {
  for (const std::string_view prefix : {"L['self']", "_export_root"})
    if (path.starts_with(prefix)) path.erase(0, prefix.size());
  if (path.starts_with('.')) path.erase(0, 1);
  return path;
}

} // namespace

Argument take_apart(const Json& argument) {
  Argument result;
  for (const auto& [kind, value] : argument.items()) {
    take_tensors(kind, value, result);
    take_symbols(kind, value, result);
    take_constant(kind, value, result);
    if (kind == "as_graph") result.graph = &value.at("graph");
  }
  return result;
}

std::string dtype_name(int number) {
  const auto dtype = dtype_numbered(&DTypeFacts::exported, number);
  return dtype ? to_string(*dtype) : std::string();
}

TensorType tensor_type(const Json& meta) {
  TensorType type;
  type.dtype = dtype_name(whole_number<int>(meta.at("dtype")));
  type.shape.emplace();
  for (const Json& size : meta.at("sizes"))
    type.shape->push_back(size.contains("as_expr") ? -1
                                                   : whole_number<std::int64_t>(size.at("as_int")));
  return type;
}

std::uint64_t byte_count(const TensorType& type) {
  const auto dtype = dtype_named(type.dtype);
  if (!type.shape || !dtype) return 0;
  std::uint64_t bytes = facts_of(*dtype).bits / 8;
  for (const std::int64_t size : *type.shape) {
    if (size <= 0) return 0;
    const auto count = static_cast<std::uint64_t>(size);
    if (bytes > std::numeric_limits<std::uint64_t>::max() / count) return 0;
    bytes *= count;
  }
  return bytes;
}

std::string schema_of_target(const std::string& target) {
  constexpr std::string_view operators = "torch.ops.";
  constexpr std::string_view default_overload = ".default";
  std::string schema = target.starts_with(operators) ? target.substr(operators.size()) : target;
  if (schema.ends_with(default_overload)) schema.resize(schema.size() - default_overload.size());
  const auto dot = schema.find('.');
  return dot == std::string::npos ? schema : schema.replace(dot, 1, "::");
}

std::vector<StackEntry> parse_module_stack(const std::string& text) {
  std::vector<StackEntry> stack;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view entry = take_before(';', rest);
    const auto first = entry.find(',');
    const auto last = entry.rfind(',');
    if (first == last || entry.starts_with("_empty_nn_module_stack")) continue;
    std::string path = normalised_path(std::string(entry.substr(first + 1, last - first - 1)));
    // A stack inside a subgraph repeats its root.
    if (!stack.empty() && stack.back().path == path) continue;
    stack.push_back({std::string(entry.substr(0, first)), std::move(path),
                     std::string(entry.substr(last + 1))});
  }
  return stack;
}

} // namespace model_validator::exported_program
