#include "connected_graph/torchscript/code/foldable.h"

#include "connected_graph/torchscript/ir/operator_effects.h"

#include <algorithm>

namespace model_validator::torchscript {

/// A list may still grow by foldable values: comprehensions do that.
bool Foldable::unchanged(const Value& value) {
  const auto& uses = value.uses();
  return std::all_of(uses.begin(), uses.end(), [this](const torch::jit::Use& use) {
    if (!writes(*use.user, use.offset)) return true;
    return use.user->kind() == aten::append && appended(*use.user->input(1));
  });
}

bool Foldable::appended(const Value& value) {
  ++comprehensions_;
  const bool result = this->value(value);
  --comprehensions_;
  return result;
}

/// The counter of a loop with a foldable number of iterations, which torch runs as a whole.
bool Foldable::counter(const Value& value) {
  const Node* loop = value.node()->owningBlock()->owningNode();
  return comprehensions_ > 0 && loop != nullptr && loop->kind() == prim::Loop &&
         value.offset() == 0 && this->value(*loop->input(0));
}

bool Foldable::value(const Value& value) {
  const Node& node = *value.node();
  if (node.kind() == prim::Constant || value.mustBeNone()) return true;
  if (node.kind() == prim::Param) return counter(value);
  if (node.kind() == prim::GetAttr) return attributes_.of(value).has_value() && unchanged(value);
  return this->node(node);
}

bool Foldable::node(const Node& node) {
  const auto [entry, first] = known_.try_emplace(&node, false);
  if (!first) return entry->second;
  if (!node.blocks().empty() || !is_deterministic(node)) return false;
  const auto outputs = node.outputs();
  const auto inputs = node.inputs();
  const bool result =
      std::all_of(outputs.begin(), outputs.end(),
                  [this](const Value* each) { return unchanged(*each); }) &&
      std::all_of(inputs.begin(), inputs.end(), [this](const Value* each) { return value(*each); });
  return known_[&node] = result;
}

} // namespace model_validator::torchscript
