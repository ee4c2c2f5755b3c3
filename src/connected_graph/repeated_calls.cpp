#include "connected_graph/repeated_calls.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace model_validator {
namespace {

/// Nodes `begin` to `end`.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool is_sequential(const Module& module) {
  return module.class_name == "torch.nn.modules.container.Sequential";
}

class Numbering {
public:
  Numbering(const ConnectedGraph& graph, std::vector<ProgramNode>& nodes)
      : graph_(graph), nodes_(nodes) {
    number_sites();
  }

  /// Numbers the calls of all modules, outermost first.
  void number_all() {
    std::vector<Range> calls{{0, nodes_.size()}};
    for (std::size_t depth = 0; !calls.empty(); ++depth) {
      std::vector<Range> inner;
      for (const Range& call : calls) number(call, depth, inner);
      calls = std::move(inner);
    }
  }

private:
  /// Numbers the calls of modules at `depth` in a range, and adds them to `all`.
  void number(Range range, std::size_t depth, std::vector<Range>& all) {
    for (const Range& run : runs_at(range, depth)) {
      const std::vector<Range> calls = calls_in(run, depth);
      if (calls.size() > 1)
        for (const Range& call : calls) assign(call, depth);
      all.insert(all.end(), calls.begin(), calls.end());
    }
  }

  /// Numbers every place in the code that an operator comes from.
  void number_sites() {
    using Site = std::tuple<std::vector<ModuleId>, std::string, int, std::string>;
    std::map<Site, std::size_t> known;
    for (const ProgramNode& node : nodes_) {
      std::vector<ModuleId> modules;
      for (const ModuleCall& call : node.stack) modules.push_back(call.module);
      const SourceLocation& place = graph_.location(node.frame);
      const std::string& schema = node.origin.empty() ? node.schema : node.origin_schema;
      Site site{std::move(modules), place.file, place.line, schema};
      sites_.push_back(known.try_emplace(std::move(site), known.size()).first->second);
    }
  }

  /// Ranges of nodes in one module at `depth`, within one region.
  std::vector<Range> runs_at(Range range, std::size_t depth) const {
    std::vector<Range> runs;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (nodes_[i].stack.size() <= depth || is_torch_leaf(nodes_[i], depth)) continue;
      const bool continues = !runs.empty() && runs.back().end == i &&
                             nodes_[i].stack[depth] == nodes_[i - 1].stack[depth] &&
                             nodes_[i].region == nodes_[i - 1].region;
      if (continues)
        runs.back().end = i + 1;
      else
        runs.push_back({i, i + 1});
    }
    return runs;
  }

  bool is_torch_leaf(const ProgramNode& node, std::size_t depth) const {
    const Module& module = graph_.module(node.stack[depth].module);
    return module.leaf && module.torch_nn;
  }

  /// The calls of the module at `depth` that a range consists of.
  std::vector<Range> calls_in(Range run, std::size_t depth) const {
    if (depth == 0) return {run}; // the model itself is called once
    std::vector<Range> calls{{run.begin, run.end}};
    for (std::size_t i = run.begin + 1; i < run.end; ++i)
      if (begins_again(run.begin, i, depth)) {
        calls.back().end = i;
        calls.push_back({i, run.end});
      }
    const std::vector<std::size_t> first = operators_in(calls.front());
    const bool alike = std::all_of(calls.begin(), calls.end(),
                                   [&](const Range& call) { return operators_in(call) == first; });
    return alike && !is_loop_of_container(run, depth) ? calls : std::vector<Range>{run};
  }

  /// The sites of the operators; several nodes may share one.
  std::vector<std::size_t> operators_in(const Range& range) const {
    std::vector<std::size_t> sites;
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (i == range.begin || !continues(i)) sites.push_back(sites_[i]);
    return sites;
  }

  /// Whether a node comes from the same operator as the one before it.
  bool continues(std::size_t i) const {
    return !nodes_[i].origin.empty() && nodes_[i].origin == nodes_[i - 1].origin;
  }

  /// Whether the operator of `first` recurs, and not because a helper of the module was called from
  /// another line.
  bool begins_again(std::size_t first, std::size_t i, std::size_t depth) const {
    const ProgramNode& node = nodes_[i];
    if (sites_[i] != sites_[first] || continues(i)) return false;
    return node.frame == nodes_[first].frame ||
           call_frame(graph_, node, depth) != call_frame(graph_, nodes_[first], depth);
  }

  /// `Sequential` calls its children in a loop: an only child is what repeats.
  bool is_loop_of_container(Range run, std::size_t depth) const {
    if (!is_sequential(graph_.module(nodes_[run.begin].stack[depth].module))) return false;
    const auto child = [&](std::size_t i) {
      return nodes_[i].stack.size() > depth + 1 ? nodes_[i].stack[depth + 1].module : none;
    };
    for (std::size_t i = run.begin; i < run.end; ++i)
      if (child(i) != child(run.begin)) return false;
    return true;
  }

  void assign(const Range& call, std::size_t depth) {
    for (std::size_t i = call.begin; i < call.end; ++i) nodes_[i].stack[depth].call = next_;
    ++next_;
  }

  const ConnectedGraph& graph_;
  std::vector<ProgramNode>& nodes_;
  std::vector<std::size_t> sites_; ///< per node
  std::size_t next_ = 0;
};

} // namespace

void number_repeated_calls(const ConnectedGraph& graph, std::vector<ProgramNode>& nodes) {
  std::size_t deepest = 0;
  for (const ProgramNode& node : nodes) deepest = std::max(deepest, node.stack.size());
  if (deepest > 0) Numbering(graph, nodes).number_all();
}

FrameId call_frame(const ConnectedGraph& graph, const ProgramNode& node, std::size_t depth) {
  const auto inside = [&](ModuleId module) {
    return std::any_of(node.stack.begin() + static_cast<std::ptrdiff_t>(depth), node.stack.end(),
                       [&](const ModuleCall& call) { return call.module == module; });
  };
  FrameId frame = node.frame;
  while (frame != none && inside(graph.frames()[frame].module))
    frame = graph.frames()[frame].caller;
  return frame;
}

} // namespace model_validator
