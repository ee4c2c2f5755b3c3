#include "connected_graph/node_runs.h"

#include "connected_graph/repeated_calls.h"

namespace model_validator {
namespace {

class Splitter {
public:
  Splitter(const ConnectedGraph& graph, const std::vector<FlatNode>& nodes)
      : graph_(graph), nodes_(nodes) {}

  std::vector<NodeRun> split() const {
    std::vector<NodeRun> runs;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!runs.empty() && continues(runs.back(), nodes_[i]))
        runs.back().end = i + 1;
      else
        runs.push_back({i, i + 1, torch_leaf(nodes_[i])});
    }
    return runs;
  }

private:
  ModuleCall torch_leaf(const FlatNode& node) const {
    if (node.stack.empty() || node.kind == OpKind::control_flow) return {};
    const Module& innermost = graph_.module(node.stack.back().module);
    return innermost.leaf && innermost.torch_nn ? node.stack.back() : ModuleCall{};
  }

  bool continues(const NodeRun& run, const FlatNode& next) const {
    const FlatNode& last = nodes_[run.end - 1];
    if (last.region != next.region || last.stack != next.stack) return false;
    if (last.kind == OpKind::control_flow || next.kind == OpKind::control_flow) return false;
    if (run.leaf.module != none) {
      const bool is_model = graph_.module_path(run.leaf.module).empty(); // which is called once
      return run.leaf.call != none || is_model || !calls_again(run, next);
    }
    return !next.origin.empty() && last.origin == next.origin;
  }

  /// Without call numbers: the same operator again from the same line of the module, within one
  /// run, means that the module was called again.
  bool calls_again(const NodeRun& run, const FlatNode& next) const {
    const FlatNode& first = nodes_[run.begin];
    const std::size_t depth = next.stack.size() - 1;
    if (call_frame(graph_, first, depth) != call_frame(graph_, next, depth)) return true;
    const bool same_origin = !next.origin.empty() && nodes_[run.end - 1].origin == next.origin;
    return !same_origin && first.frame == next.frame && first.origin_schema == next.origin_schema &&
           first.schema == next.schema;
  }

  const ConnectedGraph& graph_;
  const std::vector<FlatNode>& nodes_;
};

} // namespace

std::vector<NodeRun> split_into_runs(const ConnectedGraph& graph,
                                     const std::vector<FlatNode>& nodes) {
  return Splitter(graph, nodes).split();
}

} // namespace model_validator
