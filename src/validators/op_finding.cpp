#include "validators/op_finding.h"

#include "text/places.h"

namespace model_validator {

Diagnostic finding_of(const ConnectedGraph& graph, OpId id, const Diagnostics& diagnostics,
                      std::string message) {
  Diagnostic finding = diagnostics.start(std::move(message));
  if (id == none) return finding;
  const Op& op = graph.op(id);
  finding.parent = graph.module_path(op.parent);
  finding.module = op.module == none ? finding.parent : graph.module_path(op.module);
  if (op.module != none) finding.aliases = graph.module(op.module).aliases;
  finding.op = OpReference{op.name, op.type};
  auto location = location_of(graph, op.frame, "call");
  if (location.source.known()) finding.locations.push_back(std::move(location));
  return finding;
}

Diagnostic finding_of_module(const ConnectedGraph& graph, ModuleId id,
                             const Diagnostics& diagnostics, std::string message) {
  Diagnostic finding = diagnostics.start(std::move(message));
  if (id == none) return finding;
  const Module& module = graph.module(id);
  finding.module = module.path;
  finding.aliases = module.aliases;
  finding.parent = graph.module_path(module.parent);
  return finding;
}

std::vector<ModuleId> owners_of_parameters(const ConnectedGraph& graph) {
  std::vector<ModuleId> owners(graph.parameters().size(), none);
  for (ModuleId id = 0; id < graph.modules().size(); ++id)
    for (const ParameterId parameter : graph.module(id).parameters) owners.at(parameter) = id;
  return owners;
}

} // namespace model_validator
