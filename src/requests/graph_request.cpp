#include "libraries/front_end_library.h"
#include "lint/file_runner.h"
#include "lint/settings_source.h"
#include "lint/suppressions.h"
#include "report/graph_writer.h"
#include "requests/model_request.h"

#include <model_validator/error.h>
#include <model_validator/file_format.h>

namespace model_validator {
namespace {

/// The settings that `check` would use for a model. Reads its configuration.
std::shared_ptr<const Settings> settings_for(const std::string& model) {
  // The settings point into the registry.
  struct Held {
    Registry registry = Registry::builtin();
    std::shared_ptr<const Settings> settings;
  };
  const auto held = std::make_shared<Held>();
  held->settings = SettingsSource(held->registry, {}, {}, false).settings_for(model);
  return {held, held->settings.get()};
}

/// What `check` finds in a graph with them.
std::vector<Diagnostic> findings_in(const ConnectedGraph& graph,
                                    const std::shared_ptr<const Settings>& settings) {
  const std::string& name = graph.origin.path;
  FileResult result = lint_graph(graph, settings, name);
  Suppressions suppressions(today());
  suppressions.expect(name, *settings);
  suppressions.apply(*settings, result.ignores, result.report);
  return std::move(result.report.findings);
}

/// With a trace where inputs are given, and a warning where that ends early.
TracedGraph read_model(const CalledModel& model, const std::optional<TraceOptions>& trace,
                       const ReadOptions& read, Findings& found) {
  TracedGraph graph =
      trace ? trace_graph(model.path, *trace, read) : TracedGraph{read_graph(model.path, read), {}};
  graph.graph.origin.path = model.name;
  if (auto warning = trace ? early_end(graph.graph, graph.trace) : std::nullopt)
    found.warnings.push_back(*warning);
  return graph;
}

/// @throws Error
std::string code_of(const std::filesystem::path& file, const ReadOptions& options) {
  if (recognise(file) == FileFormat::torchscript)
    return torchscript_front_end(file).code(file, options);
  throw Error(ErrorKind::unknown_format, file.string(), "only TorchScript files are migrated",
              "a model that is no TorchScript needs no way out of it");
}

/// A graph as text: JSON or DOT; or the code of a TorchScript file, as a document for `migrate`.
class GraphRequest final : public TracingRequest {
public:
  void prepare() override {
    TracingRequest::prepare();
    settings_ = settings_for(models.front().name);
  }

  void run(Findings& found) const override {
    if (format == "code") {
      found.output << code_of(models.front().path, read);
      return;
    }
    if (format == "json") return write_graph(models.front(), trace, read, found);
    const TracedGraph graph = read_model(models.front(), trace, read, found);
    write_dot(found.output, graph.graph, findings_in(graph.graph, settings_));
  }

private:
  std::shared_ptr<const Settings> settings_; ///< of the findings that DOT shows
};

} // namespace

void write_graph(const CalledModel& model, const std::optional<TraceOptions>& trace,
                 const ReadOptions& read, Findings& found) {
  const TracedGraph graph = read_model(model, trace, read, found);
  write_graph_json(found.output, graph.graph, trace ? &graph.trace : nullptr);
}

std::unique_ptr<ModelRequest> make_graph_request() { return std::make_unique<GraphRequest>(); }

} // namespace model_validator
