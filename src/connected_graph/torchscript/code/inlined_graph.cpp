#include "connected_graph/torchscript/code/inlined_graph.h"

#include "connected_graph/torchscript/code/callee.h"
#include "connected_graph/torchscript/code/fold_conditions.h"

#include <unordered_map>

namespace model_validator::torchscript {
namespace {

using torch::jit::GraphFunction;

/// Real models stay below a fiftieth of it.
constexpr std::size_t max_nodes = 1'000'000;

/// How many nodes functions have after inlining everything.
class Sizes {
public:
  std::size_t of(GraphFunction& function) {
    const auto [entry, first] = sizes_.try_emplace(&function, max_nodes + 1);
    if (!first) return entry->second; // a function that calls itself: too many
    const std::size_t size = of(*function.graph()->block());
    return sizes_[&function] = size;
  }

private:
  std::size_t of(const Block& block) {
    std::size_t size = 0;
    for (const Node* node : block.nodes()) {
      GraphFunction* callee = callee_of(*node);
      size += callee != nullptr ? of(*callee) : 1;
      for (const Block* inner : node->blocks()) size += of(*inner);
      if (size > max_nodes) return max_nodes + 1;
    }
    return size;
  }

  std::unordered_map<const GraphFunction*, std::size_t> sizes_;
};

class Inliner {
public:
  std::shared_ptr<Graph> inlined(GraphFunction& function) {
    std::shared_ptr<Graph> graph = function.graph()->copy();
    inline_calls(*graph->block());
    return graph;
  }

private:
  Graph& simplified(GraphFunction& function) {
    if (const auto found = graphs_.find(&function); found != graphs_.end()) return *found->second;
    std::shared_ptr<Graph> graph = inlined(function);
    fold_by_types(*graph);
    return *(graphs_[&function] = std::move(graph));
  }

  void inline_calls(Block& block) {
    for (auto it = block.nodes().begin(); it != block.nodes().end();) {
      Node& node = **it++;
      for (Block* inner : node.blocks()) inline_calls(*inner);
      GraphFunction* callee = callee_of(node);
      if (callee == nullptr) continue;
      if (node.kind() == prim::CallFunction) node.removeInput(0);
      torch::jit::inlineCallTo(&node, callee, &simplified(*callee));
    }
  }

  std::unordered_map<const GraphFunction*, std::shared_ptr<Graph>> graphs_;
};

} // namespace

std::shared_ptr<Graph> inlined_graph(const torch::jit::Module& root, const std::string& method) {
  torch::jit::Function* entry = root.type()->findMethod(method);
  GraphFunction* function = entry != nullptr ? torch::jit::tryToGraphFunction(*entry) : nullptr;
  if (function == nullptr || Sizes().of(*function) > max_nodes) return nullptr;
  return Inliner().inlined(*function);
}

} // namespace model_validator::torchscript
