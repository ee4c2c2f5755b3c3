#include "connected_graph/torchscript/changed_in_loop.h"

#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

namespace model_validator::torchscript {

ChangedInLoop::ChangedInLoop(const Block& body, const Environment& environment) {
  find(body, environment);
}

ChangedInLoop::~ChangedInLoop() {
  for (const Abstract& value : changed_) value->items()->mutated_in_loop = false;
}

void ChangedInLoop::find(const Block& block, const Environment& environment) {
  for (const Node* node : block.nodes()) {
    for (std::size_t i = 0; i < node->inputs().size(); ++i)
      if (writes(*node, i))
        if (const auto changed = environment.find(node->input(i)); changed != environment.end())
          begin(changed->second);
    for (const Block* inner : node->blocks()) find(*inner, environment);
  }
}

void ChangedInLoop::begin(const Abstract& value) {
  if (!value) return;
  invalidate_aliases(value);
  if (!value->items() || value->items()->mutated_in_loop) return;
  value->items()->exact = false;
  value->items()->mutated_in_loop = true;
  changed_.push_back(value);
}

} // namespace model_validator::torchscript
