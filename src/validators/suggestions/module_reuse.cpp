#include "validators/suggestions/module_reuse.h"

#include "validators/suggestions/exclusive_regions.h"

#include <algorithm>

namespace model_validator {
namespace {

/// The first of the calls before `second` that can happen in one run with it. There is one.
const CallSite& first_beside(const ConnectedGraph& graph, const std::vector<CallSite>& sites,
                             std::size_t second) {
  ExclusiveRegions with(graph);
  with.add(sites[second].region);
  return *std::ranges::find_if(
      sites, [&](const CallSite& first) { return with.exclusive_with(first.region) == 0; });
}

} // namespace

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
