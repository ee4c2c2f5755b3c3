#include "partition/torchscript/plain_writes.h"

#include <algorithm>

namespace model_validator::partition {

void CurrentNames::update(Node& node) {
  for (std::size_t i = 0; i < node.inputs().size(); ++i)
    if (Value* now = of(node.input(i)); now != node.input(i)) node.replaceInput(i, now);
  for (Block* block : node.blocks()) {
    for (Node* inner : block->nodes()) update(*inner);
    update(*block->return_node());
  }
}

/// A name that was replaced repeatedly is found in one step the next time.
Value* CurrentNames::of(Value* value) {
  Value* now = value;
  for (auto next = now_.find(now); next != now_.end(); next = now_.find(now)) now = next->second;
  while (value != now) {
    Value*& next = now_.at(value);
    value = next;
    next = now;
  }
  return now;
}

LastReaders::LastReaders(const Units& units, Graph& graph) {
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    for (const Value* read : units[unit].reads) last_[read] = unit;
  for (const Value* returned : graph.outputs()) last_[returned] = units.size();
}

std::size_t LastReaders::of(const Value* value) const {
  const auto found = last_.find(value);
  return found == last_.end() ? 0 : found->second;
}

void LastReaders::hand_over(const Value* from, const Value* to, std::size_t unit) {
  last_[to] = std::max(of(to), of(from));
  last_[from] = unit;
}

} // namespace model_validator::partition
