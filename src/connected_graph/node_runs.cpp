#include "connected_graph/node_runs.h"

#include "connected_graph/repeated_calls.h"

#include <algorithm>

namespace model_validator {
namespace {

class Splitter {
public:
  Splitter(const ConnectedGraph& graph, const std::vector<ProgramNode>& nodes)
      : graph_(graph), nodes_(nodes) {}

  std::vector<NodeRun> split() const {
    std::vector<NodeRun> runs;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!runs.empty() && continues(runs.back(), nodes_[i]))
        runs.back().end = i + 1;
      else
        runs.push_back({i, i + 1, torch_leaf(nodes_[i])});
    }
    std::vector<NodeRun> calls;
    for (const NodeRun& run : runs) add_calls(run, calls);
    return calls;
  }

private:
  ModuleCall torch_leaf(const ProgramNode& node) const {
    if (node.stack.empty() || node.kind == OpKind::control_flow) return {};
    const Module& innermost = graph_.module(node.stack.back().module);
    return innermost.leaf && innermost.torch_nn ? node.stack.back() : ModuleCall{};
  }

  bool continues(const NodeRun& run, const ProgramNode& next) const {
    const ProgramNode& last = nodes_[run.end - 1];
    if (last.region != next.region || last.stack != next.stack) return false;
    if (last.kind == OpKind::control_flow || next.kind == OpKind::control_flow) return false;
    if (run.leaf.module != none) return has_numbers(run) || !is_called_elsewhere(run, next);
    return !next.origin.empty() && last.origin == next.origin;
  }

  /// Whether it is known which nodes are one call: the file says so, or it is the model itself.
  bool has_numbers(const NodeRun& run) const {
    return run.leaf.call != none || graph_.module_path(run.leaf.module).empty();
  }

  bool is_called_elsewhere(const NodeRun& run, const ProgramNode& next) const {
    const std::size_t depth = next.stack.size() - 1;
    return call_frame(graph_, nodes_[run.begin], depth) != call_frame(graph_, next, depth);
  }

  /// Without call numbers, a leaf that was called again from one line shows by all its operators
  /// again. Where only some recur, one call has them twice, as a `GRUCell` has two products.
  void add_calls(const NodeRun& run, std::vector<NodeRun>& calls) const {
    std::vector<NodeRun> parts{run};
    for (std::size_t i = run.begin + 1; i < run.end && run.leaf.module != none; ++i)
      if (!has_numbers(run) && begins_again(run.begin, i)) {
        parts.back().end = i;
        parts.push_back({i, run.end, run.leaf});
      }
    const bool alike = std::all_of(parts.begin(), parts.end(), [&](const NodeRun& part) {
      return are_alike(parts.front(), part);
    });
    if (alike)
      calls.insert(calls.end(), parts.begin(), parts.end());
    else
      calls.push_back(run);
  }

  bool begins_again(std::size_t first, std::size_t i) const {
    const bool same_origin = !nodes_[i].origin.empty() && nodes_[i - 1].origin == nodes_[i].origin;
    return !same_origin && nodes_[first].frame == nodes_[i].frame && is_alike(first, i);
  }

  bool is_alike(std::size_t a, std::size_t b) const {
    return nodes_[a].origin_schema == nodes_[b].origin_schema &&
           nodes_[a].schema == nodes_[b].schema;
  }

  bool are_alike(const NodeRun& a, const NodeRun& b) const {
    if (a.end - a.begin != b.end - b.begin) return false;
    for (std::size_t i = 0; i < a.end - a.begin; ++i)
      if (!is_alike(a.begin + i, b.begin + i)) return false;
    return true;
  }

  const ConnectedGraph& graph_;
  const std::vector<ProgramNode>& nodes_;
};

} // namespace

std::vector<NodeRun> split_into_runs(const ConnectedGraph& graph,
                                     const std::vector<ProgramNode>& nodes) {
  return Splitter(graph, nodes).split();
}

} // namespace model_validator
