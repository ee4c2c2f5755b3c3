#include "connected_graph/torchscript/code/operator_description.h"

#include "connected_graph/canonical_type.h"
#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "connected_graph/torchscript/code/attribute_value.h"

#include <algorithm>
#include <set>

namespace model_validator::torchscript {
namespace {

/// Whether it only passes a number on.
bool passes_numbers_on(const Node& node) {
  return node.kind() == prim::NumToTensor ||
         does(type_of_schema(node.kind().toQualString()),
              Does::keeps | Does::converts | Does::reshapes | Does::cuts | Does::joins);
}

/// Whether it is arithmetic on plain Python numbers that the tracer turned into tensor operators:
/// its sizes are tensors, so code that handles both takes the branch for tensors.
bool computes_on_numbers(const Node& node) {
  static const std::set<std::string> types = {
      "add",     "sub",    "rsub",      "mul",         "div",        "floor_divide", "remainder",
      "fmod",    "pow",    "neg",       "abs",         "floor",      "ceil",         "trunc",
      "round",   "clamp",  "clamp_min", "clamp_max",   "minimum",    "maximum",      "min",
      "max",     "eq",     "ne",        "lt",          "le",         "gt",           "ge",
      "__and__", "__or__", "__xor__",   "bitwise_and", "bitwise_or", "logical_and",  "logical_or"};
  return types.contains(type_of_schema(node.kind().toQualString()));
}

/// Whether the model itself put a number into a tensor: a trace writes `torch.tensor(n)` with a
/// `detach`, which its computations on sizes do not have.
bool made_a_tensor(const Value& number) {
  constexpr int max_chain_length = 16; // of the nodes of `torch.tensor(n, dtype=…).to(device)`
  const Node* node = number.node();
  bool detached = false;
  for (int steps = 0; steps < max_chain_length && passes_numbers_on(*node); ++steps) {
    if (node->kind() == prim::NumToTensor) return detached;
    detached = detached || node->kind() == aten::detach;
    if (node->inputs().empty()) return false;
    node = node->input(0)->node();
  }
  return false;
}

} // namespace

std::string schema_of(const Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  if (!schema) return node.kind().toQualString();
  return schema->overload_name().empty() ? schema->name()
                                         : schema->name() + "." + schema->overload_name();
}

std::vector<Attribute> attributes_of(const Node& node, const std::vector<Abstract>& inputs) {
  std::vector<Attribute> attributes;
  const c10::FunctionSchema* schema = node.maybeSchema();
  for (std::size_t i = 0; schema && i < inputs.size() && i < schema->arguments().size(); ++i)
    if (auto value = attribute_of(inputs[i]))
      attributes.push_back({schema->arguments()[i].name(), *value});
  return attributes;
}

bool keeps_numbers(const Node& node) {
  if (passes_numbers_on(node)) return true;
  const auto inputs = node.inputs();
  return computes_on_numbers(node) &&
         std::none_of(inputs.begin(), inputs.end(),
                      [](const Value* input) { return made_a_tensor(*input); });
}

std::string type_of_operator(const std::string& schema, const std::vector<Attribute>& attributes) {
  std::string type = type_of_schema(schema);
  return type.starts_with("_convolution") ? canonical_type(schema, attributes) : type;
}

} // namespace model_validator::torchscript
