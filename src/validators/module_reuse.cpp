#include "validators/module_reuse.h"

#include <algorithm>

namespace model_validator {

ModuleId caller_of(const ConnectedGraph& graph, const CallSite& site) {
  for (const FrameId frame : graph.call_chain(site.frame))
    if (const ModuleId module = graph.frames().at(frame).module; module != none) return module;
  return none;
}

ModuleId only_caller(const ConnectedGraph& graph, ModuleId module) {
  const auto& sites = graph.module(module).call_sites;
  if (sites.empty()) return none;
  const ModuleId caller = caller_of(graph, sites.front());
  const bool same = std::all_of(sites.begin(), sites.end(), [&](const CallSite& site) {
    return caller_of(graph, site) == caller;
  });
  return same && caller != module ? caller : none;
}

bool explained_by_caller(const ConnectedGraph& graph, ModuleId module) {
  const ModuleId caller = only_caller(graph, module);
  if (caller == none) return false;
  const std::size_t calls = graph.module(caller).calls;
  return calls > 1 && graph.module(module).calls <= calls;
}

bool exclusive(const ConnectedGraph& graph, RegionId a, RegionId b) {
  const auto& regions = graph.regions();
  for (; a != none; a = regions.at(a).parent)
    for (RegionId other = b; other != none; other = regions.at(other).parent)
      if (regions[a].op == regions[other].op && regions[a].kind != regions[other].kind) return true;
  return false;
}

RepeatedCall repeated_call(const ConnectedGraph& graph, const Module& module) {
  const auto& sites = module.call_sites;
  for (std::size_t second = 0; second < sites.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first)
      if (!exclusive(graph, sites[first].region, sites[second].region))
        return {&sites[first], &sites[second]};
    if (sites[second].times > 1) return {&sites[second], &sites[second]};
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
