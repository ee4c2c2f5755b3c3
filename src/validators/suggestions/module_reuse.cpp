#include "validators/suggestions/module_reuse.h"

#include <algorithm>

namespace model_validator {
namespace {

bool is_arm(const Region& region) { return region.kind != Region::Kind::loop_body; }

std::size_t arm_of(const Region& region) { return region.kind == Region::Kind::then_arm ? 0 : 1; }

/// The first of the calls before `second` that can happen in one run with it. There is one.
const CallSite& first_beside(const ConnectedGraph& graph, const std::vector<CallSite>& sites,
                             std::size_t second) {
  ExclusiveRegions with(graph);
  with.add(sites[second].region);
  return *std::ranges::find_if(
      sites, [&](const CallSite& first) { return with.exclusive_with(first.region) == 0; });
}

} // namespace

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::map<std::string, std::string> owner_attributes(const Module& module) {
  std::map<std::string, std::string> attributes;
  const auto add = [&](const std::string& path) {
    const std::size_t dot = path.rfind('.');
    attributes.try_emplace(dot == std::string::npos ? std::string() : path.substr(0, dot),
                           last_part(path));
  };
  add(module.path);
  for (const std::string& alias : module.aliases) add(alias);
  return attributes;
}

void ExclusiveRegions::add(RegionId id) {
  for (; id != none; id = graph_.regions()[id].parent)
    if (const Region& region = graph_.regions()[id]; is_arm(region))
      ++arms_[region.op][arm_of(region)];
}

std::size_t ExclusiveRegions::exclusive_with(RegionId id) const {
  std::size_t count = 0;
  for (; id != none; id = graph_.regions()[id].parent) {
    const Region& region = graph_.regions()[id];
    if (!is_arm(region)) continue;
    const auto arms = arms_.find(region.op);
    if (arms != arms_.end()) count += arms->second[1 - arm_of(region)];
  }
  return count;
}

ModuleId caller_of(const ConnectedGraph& graph, ModuleId module, const CallSite& site) {
  for (const FrameId frame : graph.call_chain(site.frame))
    if (const ModuleId caller = graph.frames().at(frame).module; caller != none) return caller;
  ModuleId above = graph.module(module).parent;
  while (above != none && graph.module(above).calls == 0) above = graph.module(above).parent;
  return above;
}

std::set<ModuleId> callers_of(const ConnectedGraph& graph, ModuleId module) {
  std::set<ModuleId> callers;
  for (const CallSite& site : graph.module(module).call_sites)
    callers.insert(caller_of(graph, module, site));
  return callers;
}

ModuleId only_caller(const ConnectedGraph& graph, ModuleId module) {
  const auto callers = callers_of(graph, module);
  return callers.size() == 1 && *callers.begin() != module ? *callers.begin() : none;
}

bool explained_by_caller(const ConnectedGraph& graph, ModuleId module) {
  const ModuleId caller = only_caller(graph, module);
  if (caller == none) return false;
  const std::size_t calls = graph.module(caller).calls;
  return calls > 1 && graph.module(module).calls <= calls;
}

RepeatedCall repeated_call(const ConnectedGraph& graph, const Module& module) {
  const auto& sites = module.call_sites;
  ExclusiveRegions before(graph);
  for (std::size_t second = 0; second < sites.size(); ++second) {
    if (before.exclusive_with(sites[second].region) < second)
      return {&first_beside(graph, sites, second), &sites[second]};
    if (sites[second].times > 1) return {&sites[second], &sites[second]};
    before.add(sites[second].region);
  }
  return {};
}

std::vector<bool> modules_with_state(const ConnectedGraph& graph) {
  const auto& modules = graph.modules();
  std::vector<bool> stateful(modules.size(), false);
  for (ModuleId id = 0; id < modules.size(); ++id) {
    if (modules[id].parameters.empty()) continue;
    for (ModuleId up = id; up != none && !stateful[up]; up = modules[up].parent)
      stateful[up] = true;
  }
  return stateful;
}

} // namespace model_validator
