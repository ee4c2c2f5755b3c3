#include "connected_graph/torchscript/code/attribute_values.h"

#include "connected_graph/torchscript/ir/nested_nodes.h"

namespace model_validator::torchscript {

AttributeValues::AttributeValues(const Graph& graph, const torch::jit::Module& self)
    : self_(graph.inputs().empty() ? nullptr : graph.inputs()[0]), module_(self._ivalue()) {
  for_each_node(*graph.block(), [this](const Node& node) {
    if (node.kind() == prim::SetAttr) written_.insert(node.s(attr::name));
  });
}

std::optional<c10::IValue> AttributeValues::of(const Value& value) {
  if (&value == self_) return module_;
  const Node& node = *value.node();
  if (node.kind() != prim::GetAttr) return std::nullopt;
  if (const auto found = known_.find(&value); found != known_.end()) return found->second;
  return known_[&value] = read(node);
}

std::optional<c10::IValue> AttributeValues::read(const Node& node) {
  const std::string& name = node.s(attr::name);
  const std::optional<c10::IValue> owner = of(*node.input());
  if (written_.contains(name) || !owner || !owner->isObject()) return std::nullopt;
  const auto object = owner->toObject();
  if (!object->type()->hasAttribute(name)) return std::nullopt;
  return object->getAttr(name);
}

} // namespace model_validator::torchscript
