#include "requests/graph_findings.h"

#include "lint/file_runner.h"
#include "lint/settings_source.h"
#include "lint/suppressions.h"

namespace model_validator {

std::shared_ptr<const Settings> settings_for_graph(const std::string& model) {
  // The settings point into the registry.
  struct Held {
    Registry registry = Registry::builtin();
    std::shared_ptr<const Settings> settings;
  };
  const auto held = std::make_shared<Held>();
  held->settings = SettingsSource(held->registry, {}, {}, false).settings_for(model);
  return {held, held->settings.get()};
}

std::vector<Diagnostic> findings_in(const ConnectedGraph& graph,
                                    const std::shared_ptr<const Settings>& settings) {
  const std::string& name = graph.origin.path;
  FileResult result = lint_graph(graph, settings, name);
  Suppressions suppressions(today());
  suppressions.expect(name, *settings);
  suppressions.apply(*settings, result.ignores, result.report);
  return std::move(result.report.findings);
}

} // namespace model_validator
