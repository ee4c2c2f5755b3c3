#include "cli/graph_findings.h"

#include "lint/file_runner.h"
#include "lint/settings_source.h"
#include "lint/suppressions.h"

namespace model_validator::cli {

std::vector<Diagnostic> findings_in(const ConnectedGraph& graph) {
  const Registry registry = Registry::builtin();
  const std::string& name = graph.origin.path;
  SettingsSource source(registry, {}, {}, false);
  FileResult result = lint_graph(graph, source.settings_for(name), name);
  Suppressions suppressions(today());
  suppressions.expect(name, *result.settings);
  suppressions.apply(*result.settings, result.ignores, result.report);
  return std::move(result.report.findings);
}

} // namespace model_validator::cli
