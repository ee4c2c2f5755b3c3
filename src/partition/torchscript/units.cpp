#include "partition/torchscript/units.h"

#include <model_validator/connected_graph.h>

#include <algorithm>
#include <unordered_set>

namespace model_validator::partition {
namespace {

bool is_inside(const Node* node, const Node& around) {
  for (; node != nullptr; node = node->owningBlock()->owningNode())
    if (node == &around) return true;
  return false;
}

class Reads {
public:
  explicit Reads(Node& node) : node_(node) {
    add_inputs(node);
    for (Block* block : node.blocks()) add(*block);
  }
  std::vector<Value*> take() { return std::move(reads_); }

private:
  void add_inputs(Node& node) {
    for (Value* value : node.inputs())
      if (&node == &node_ || !is_inside(value->node()->kind() == prim::Param
                                            ? value->node()->owningBlock()->owningNode()
                                            : value->node(),
                                        node_))
        if (seen_.insert(value).second) reads_.push_back(value);
  }
  void add(Block& block) {
    for (Node* inner : block.nodes()) {
      add_inputs(*inner);
      for (Block* nested : inner->blocks()) add(*nested);
    }
    add_inputs(*block.return_node());
  }

  Node& node_;
  std::unordered_set<const Value*> seen_;
  std::vector<Value*> reads_;
};

} // namespace

Units::Units(Graph& graph) : graph_(graph) {
  for (Node* node : graph.nodes()) {
    if (node->kind() == prim::Constant || node->kind() == prim::GetAttr) continue;
    numbers_[node] = units_.size();
    units_.push_back({node, {}});
  }
  refresh();
}

void Units::refresh() {
  for (Unit& unit : units_) unit.reads = Reads(*unit.node).take();
}

std::size_t Units::maker(const Value* value) const {
  const auto found = numbers_.find(value->node());
  return found == numbers_.end() ? none : found->second;
}

std::size_t Units::unit_around(const Node* node) const {
  while (node != nullptr && node->owningBlock() != graph_.block())
    node = node->owningBlock()->owningNode();
  const auto found = numbers_.find(node);
  return found == numbers_.end() ? none : found->second;
}

std::vector<std::size_t> Units::readers(const Value* value) const {
  std::vector<std::size_t> readers;
  for (const torch::jit::Use& use : value->uses())
    if (const std::size_t unit = unit_around(use.user); unit != none) readers.push_back(unit);
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  return readers;
}

} // namespace model_validator::partition
