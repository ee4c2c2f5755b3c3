#pragma once

#include <model_validator/connected_graph.h>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::exported_program {

/// An argument of a node, taken apart.
struct Argument {
  std::vector<std::string> tensors;    ///< names; empty for `None` in a list of tensors
  std::vector<std::string> symbols;    ///< names of symbolic numbers
  std::optional<AttributeValue> value; ///< for a constant
  const nlohmann::json* graph = nullptr;
};

/// @param argument  the union that the schema calls `Argument`
Argument take_apart(const nlohmann::json& argument);

/// `float32` for the schema's number 7; empty for an unknown one.
std::string dtype_name(int scalar_type);
/// The type in a `TensorMeta`, with -1 for a symbolic size.
TensorType tensor_type(const nlohmann::json& meta);
std::uint64_t byte_count(const TensorType& type);

/// The schema of an operator: `torch.ops.aten.add_.Tensor` gives `aten::add_.Tensor`.
std::string schema_of_target(const std::string& target);

/// One module in the stack that the exporter records for a node.
struct StackEntry {
  std::string key; ///< distinguishes calls: `L__self__relu@1`
  std::string path;
  std::string class_name;
};

/// Reads `key,path,class;…`, outermost first.
std::vector<StackEntry> parse_module_stack(const std::string& text);

} // namespace model_validator::exported_program
