#include "connected_graph/exporter.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

#include <set>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "unused-module",
                        .code = "GRA003",
                        .summary = "a module with weights is in the model but no path calls it",
                        .severity = Severity::info,
                        .needs = Need::all_modules};

/// By module: whether it or a module below it is called, or has a parameter that an op reads.
std::vector<bool> used_modules(const ConnectedGraph& graph) {
  const auto& modules = graph.modules();
  std::vector<bool> used(modules.size(), false);
  const auto mark = [&](ModuleId id) {
    for (; id != none && !used[id]; id = modules[id].parent) used[id] = true;
  };
  const auto owners = owners_of_parameters(graph);
  for (ModuleId id = 0; id < modules.size(); ++id)
    if (modules[id].calls > 0) mark(id);
  for (OpId id = 0; id < graph.op_count(); ++id)
    for (const ParameterId parameter : graph.op(id).parameters) mark(owners.at(parameter));
  return used;
}

std::set<std::uint64_t> used_storages(const ConnectedGraph& graph, const std::vector<bool>& used) {
  std::set<std::uint64_t> storages;
  for (ModuleId id = 0; id < graph.modules().size(); ++id)
    for (const ParameterId parameter : graph.module(id).parameters)
      if (used[id]) storages.insert(graph.parameters().at(parameter).storage);
  return storages;
}

/// By module: the bytes that only it and the modules below it hold. Weights tied to those of a
/// module that is used cost nothing.
std::vector<std::uint64_t> bytes_below(const ConnectedGraph& graph, const std::vector<bool>& used) {
  const auto& modules = graph.modules();
  const auto elsewhere = used_storages(graph, used);
  std::vector<std::uint64_t> bytes(modules.size(), 0);
  for (ModuleId id = 0; id < modules.size(); ++id)
    for (const ParameterId each : modules[id].parameters) {
      const Parameter& parameter = graph.parameters().at(each);
      if (elsewhere.count(parameter.storage)) continue;
      for (ModuleId up = id; up != none; up = modules[up].parent) bytes[up] += parameter.bytes;
    }
  return bytes;
}

/// Modules with weights that no path through the model calls or reads.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {

  if (!graph.origin.has_modules) return;
  const auto used = used_modules(graph);
  const auto bytes = bytes_below(graph, used);
  for (ModuleId id = 0; id < graph.modules().size(); ++id) {
    const Module& module = graph.module(id);
    const bool outermost = module.parent != none && used[module.parent];
    if (used[id] || !outermost || bytes[id] == 0) continue;
    Diagnostic finding = finding_of_module(graph, id, diagnostics,
                                           spoken_module(module, "module ") + " is never called");
    finding.notes.push_back("its weights take " + std::to_string(bytes[id]) + " bytes of the file");
    if (is_of_torch(graph.origin)) {
      const std::string taken_out =
          "take it out before the export: `del model." + module.path + '`';
      finding.help =
          graph.origin.traced ? "if no other branch of the code calls it, " + taken_out : taken_out;
      finding.fix = Fix{Applicability::unsafe, finding.help, {}};
    }
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::unused_module(rule, run);

} // namespace model_validator
