#include "connected_graph/call_sites.h"

#include "connected_graph/path_condition.h"
#include "connected_graph/repeated_calls.h"

#include <algorithm>
#include <set>
#include <utility>

namespace model_validator {
namespace {

constexpr std::size_t max_times = std::size_t{1} << 20U; ///< a cap, for nested loops

class CallSiteRecorder {
public:
  CallSiteRecorder(GraphBuilder& graph, const std::vector<ProgramNode>& nodes)
      : graph_(graph), nodes_(nodes) {}

  void record() {
    std::set<std::pair<ModuleId, std::size_t>> numbered;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t depth = 0; depth < nodes_[i].stack.size(); ++depth) {
        const ModuleCall& call = nodes_[i].stack[depth];
        std::vector<CallSite>& sites = graph_.modules()[call.module].call_sites;
        const bool begins = is_root(call.module) ? sites.empty()
                            : call.call == none  ? begins_call(i, depth)
                                                 : numbered.emplace(call.module, call.call).second;
        if (begins) sites.push_back(call_site(i, depth));
      }
  }

private:
  /// The model itself is called once, wherever its nodes appear among those that belong to no
  /// module.
  bool is_root(ModuleId module) const { return graph_.module_path(module).empty(); }

  /// Whether node `i` begins a call of the module at `depth` of its stack.
  bool begins_call(std::size_t i, std::size_t depth) const {
    if (i == 0) return true;
    const ProgramNode& node = nodes_[i];
    const ProgramNode& before = nodes_[i - 1];
    if (nodes_[i - 1].op == nodes_[i].op) return false;
    const auto end = node.stack.begin() + static_cast<std::ptrdiff_t>(depth) + 1;
    const bool inside = before.stack.size() > depth && before.region == node.region &&
                        std::equal(node.stack.begin(), end, before.stack.begin());
    return !inside || graph_.op(nodes_[i].op).module == node.stack[depth].module;
  }

  CallSite call_site(std::size_t i, std::size_t depth) const {
    const ModuleId module = nodes_[i].stack[depth].module;
    CallSite site;
    site.frame = call_frame(graph_, nodes_[i], depth);
    site.region = nodes_[i].region;
    if (graph_.op(nodes_[i].op).module == module) site.op = nodes_[i].op;
    for (RegionId region = site.region; region != none; region = graph_.regions()[region].parent)
      if (graph_.regions()[region].kind == Region::Kind::loop_body)
        site.times = std::min(site.times * 2, max_times);
    return site;
  }

  GraphBuilder& graph_;
  const std::vector<ProgramNode>& nodes_;
};

/// The enclosing branches of a place; loops decide nothing.
PathCondition condition_of(RegionId region, const std::vector<Region>& regions) {
  PathCondition condition;
  for (; region != none; region = regions[region].parent)
    if (regions[region].kind != Region::Kind::loop_body)
      condition.push_back({regions[region].number, regions[region].kind == Region::Kind::then_arm});
  return condition;
}

} // namespace

std::size_t calls_on_one_path(const std::vector<CallSite>& sites,
                              const std::vector<Region>& regions) {
  std::vector<WeightedCondition> events;
  for (const CallSite& site : sites)
    events.push_back({condition_of(site.region, regions), site.times});
  return largest_total(events);
}

void record_call_sites(GraphBuilder& graph, const std::vector<ProgramNode>& nodes) {
  CallSiteRecorder(graph, nodes).record();
  for (Module& module : graph.modules())
    module.calls = calls_on_one_path(module.call_sites, graph.regions());
}

} // namespace model_validator
