#include "connected_graph/torchscript/code/live_nodes.h"

#include "connected_graph/torchscript/ir/nested_nodes.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

namespace model_validator::torchscript {
namespace {

class Liveness {
public:
  std::vector<const Node*> of(const Graph& graph) {
    push_all(graph.outputs());
    return followed();
  }

  std::vector<const Node*> of_effects_too(const Graph& graph) {
    push_all(graph.outputs());
    for_each_node(*graph.block(), [this](const Node& node) {
      if (node.hasSideEffects()) mark(&node);
    });
    return followed();
  }

private:
  std::vector<const Node*> followed() {
    while (!pending_.empty()) {
      const Value* value = pending_.back();
      pending_.pop_back();
      if (value->node()->kind() != prim::Param) mark(value->node());
      mark_writers(value);
    }
    return {nodes_.begin(), nodes_.end()};
  }

  void push(const Value* value) {
    if (values_.insert(value).second) pending_.push_back(value);
  }
  void push_all(at::ArrayRef<const Value*> values) {
    for (const Value* value : values) push(value);
  }

  void mark(const Node* node) {
    for (; node != nullptr && nodes_.insert(node).second;
         node = node->owningBlock()->owningNode()) {
      push_all(node->inputs());
      for (const Block* block : node->blocks()) push_all(block->outputs());
    }
  }

  /// Marks nodes that write into the value, or into a view of it.
  void mark_writers(const Value* first) {
    std::vector<const Value*> views{first};
    while (!views.empty()) {
      const Value* value = views.back();
      views.pop_back();
      if (!followed_.insert(value).second) continue;
      for (const torch::jit::Use& use : value->uses()) {
        const Use how = use_of(*use.user, use.offset);
        if (how == Use::writes) mark(use.user);
        if (how == Use::passes_on)
          for (const Value* output : use.user->outputs()) views.push_back(output);
      }
    }
  }

  std::unordered_set<const Value*> values_;
  std::unordered_set<const Value*> followed_;
  std::unordered_set<const Node*> nodes_;
  std::vector<const Value*> pending_;
};

} // namespace

std::vector<const Node*> live_nodes(const Graph& graph) { return Liveness().of(graph); }

std::vector<const Node*> live_nodes_and_effects(const Graph& graph) {
  return Liveness().of_effects_too(graph);
}

} // namespace model_validator::torchscript
