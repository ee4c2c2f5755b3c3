#include "verify/run/dead_values.h"

namespace model_validator::verify {
namespace {

/// The node of `block` that `user` is, or lies within; null when it lies elsewhere.
torch::jit::Node* enclosing_node(torch::jit::Node* user, const torch::jit::Block& block) {
  while (user != nullptr && user->owningBlock() != &block) user = user->owningBlock()->owningNode();
  return user;
}

} // namespace

void DeadValues::analyse(torch::jit::Graph& graph) {
  if (analysed_.emplace(&graph, true).second) analyse(*graph.block());
}

void DeadValues::analyse(torch::jit::Block& block) {
  for (auto* value : block.inputs()) note_last_use(*value, block);
  for (auto* node : block.nodes()) {
    for (auto* value : node->outputs()) note_last_use(*value, block);
    for (auto* inner : node->blocks()) analyse(*inner);
  }
}

void DeadValues::note_last_use(torch::jit::Value& value, const torch::jit::Block& block) {
  torch::jit::Node* last = value.node()->kind() == torch::jit::prim::Param ? nullptr : value.node();
  for (const auto& use : value.uses()) {
    auto* user = enclosing_node(use.user, block);
    if (user == nullptr || user->kind() == torch::jit::prim::Return) return;
    if (last == nullptr || last->isBefore(user)) last = user;
  }
  if (last != nullptr) dead_[last].push_back(&value);
}

const std::vector<const torch::jit::Value*>& DeadValues::after(const torch::jit::Node* node) const {
  static const std::vector<const torch::jit::Value*> nothing;
  const auto found = dead_.find(node);
  return found == dead_.end() ? nothing : found->second;
}

} // namespace model_validator::verify
