#include "connected_graph/torchscript/aliases.h"

#include "connected_graph/module_aliases.h"

#include <algorithm>
#include <numeric>

namespace model_validator::torchscript {
namespace {

using CallsByModule = std::map<ModuleId, ModuleCalls>;

std::vector<OwnedTensor> tensors_of_modules(const ConnectedGraph& graph) {
  std::vector<OwnedTensor> owned;
  for (ModuleId module = 0; module < graph.modules().size(); ++module)
    for (const ParameterId id : graph.module(module).parameters) {
      const Parameter& parameter = graph.parameters()[id];
      if (parameter.storage != 0) owned.push_back({module, parameter.name, parameter.storage});
    }
  return owned;
}

/// The primary of each module: itself, or one of its copies.
std::vector<ModuleId> primaries(GraphBuilder& graph, const CallsByModule& calls, bool traced) {
  std::vector<ModuleId> primary = alias_primaries(graph.modules(), tensors_of_modules(graph));
  if (!traced) return primary;
  std::map<ModuleId, std::size_t> called;
  for (const auto& [module, of_module] : calls) ++called[primary[module]];
  for (ModuleId m = 0; m < primary.size(); ++m)
    if (called[primary[m]] > 1) primary[m] = m;
  return primary;
}

std::vector<ParameterId> parameter_primaries(const ConnectedGraph& graph,
                                             const std::vector<ModuleId>& primary) {
  std::vector<ParameterId> result(graph.parameters().size());
  std::iota(result.begin(), result.end(), ParameterId{0});
  for (ModuleId m = 0; m < primary.size(); ++m) {
    if (primary[m] == m) continue;
    for (const ParameterId copy : graph.module(m).parameters)
      for (const ParameterId original : graph.module(primary[m]).parameters)
        if (graph.parameters()[copy].name == graph.parameters()[original].name)
          result[copy] = original;
  }
  return result;
}

/// Keeps the parameters that are their own primary. @return the new one for each old one
std::vector<ParameterId> merge_parameters(GraphBuilder& graph,
                                          const std::vector<ParameterId>& primary) {
  std::vector<ParameterId> now(primary.size());
  std::vector<Parameter> kept;
  for (ParameterId id = 0; id < primary.size(); ++id)
    if (primary[id] == id) {
      now[id] = kept.size();
      kept.push_back(std::move(graph.parameters()[id]));
    }
  for (ParameterId id = 0; id < primary.size(); ++id) now[id] = now[primary[id]];
  graph.parameters() = std::move(kept);
  return now;
}

void renumber(GraphBuilder& graph, const std::vector<ModuleId>& modules,
              const std::vector<ParameterId>& parameters) {
  const auto renumber_module = [&modules](ModuleId& id) { id = id == none ? none : modules[id]; };
  for (Module& module : graph.modules())
    for (ParameterId& id : module.parameters) id = parameters[id];
  for (OpId id = 0; id < graph.op_count(); ++id) {
    Op& op = graph.op(id);
    renumber_module(op.module);
    renumber_module(op.parent);
    for (ParameterId& parameter : op.parameters) parameter = parameters[parameter];
  }
}

/// Any second call reuses a leaf with weights. In any other module each method counts separately:
/// one call each of `encode` and `decode` reuses nothing.
std::size_t calls_of(const Module& module, const ModuleCalls& calls) {
  if (module.leaf && !module.parameters.empty()) return largest_total(calls.conditions);
  std::map<std::string, std::vector<WeightedCondition>> by_method;
  for (std::size_t i = 0; i < calls.sites.size(); ++i)
    by_method[calls.sites[i].method].push_back(calls.conditions[i]);
  std::size_t most = 0;
  for (const auto& [method, conditions] : by_method)
    most = std::max(most, largest_total(conditions));
  return most;
}

void enter_calls(GraphBuilder& graph, const CallsByModule& calls,
                 const std::vector<ModuleId>& number) {
  std::map<ModuleId, ModuleCalls> merged;
  for (const auto& [module, of_copy] : calls) {
    ModuleCalls& all = merged[number[module]];
    all.conditions.insert(all.conditions.end(), of_copy.conditions.begin(),
                          of_copy.conditions.end());
    all.sites.insert(all.sites.end(), of_copy.sites.begin(), of_copy.sites.end());
    all.order.insert(all.order.end(), of_copy.order.begin(), of_copy.order.end());
  }
  for (auto& [id, all] : merged) {
    Module& module = graph.modules()[id];
    module.calls = calls_of(module, all);
    std::vector<std::size_t> by_time(all.sites.size());
    std::iota(by_time.begin(), by_time.end(), std::size_t{0});
    std::sort(by_time.begin(), by_time.end(),
              [&order = all.order](std::size_t a, std::size_t b) { return order[a] < order[b]; });
    for (const std::size_t i : by_time) module.call_sites.push_back(all.sites[i]);
  }
}

} // namespace

void merge_aliases(GraphBuilder& graph, CallsByModule calls, bool traced) {
  const std::vector<ModuleId> primary = primaries(graph, calls, traced);
  const auto parameters = merge_parameters(graph, parameter_primaries(graph, primary));
  const std::vector<ModuleId> modules = merge_modules(graph, primary);
  renumber(graph, modules, parameters);
  enter_calls(graph, calls, modules);
}

} // namespace model_validator::torchscript
