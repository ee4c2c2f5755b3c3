#include "requests/graph_request.h"

#include "report/graph_writer.h"
#include "requests/graph_findings.h"

namespace model_validator {
namespace {

/// A graph, with a trace where inputs are given.
struct ReadModel {
  ConnectedGraph graph;
  std::optional<Trace> trace;
};

ReadModel read_file(const std::filesystem::path& file, const GraphRequest& request) {
  if (!request.trace) return {read_graph(file, request.read), std::nullopt};
  TracedGraph traced = trace_graph(file, *request.trace, request.read);
  return {std::move(traced.graph), std::move(traced.trace)};
}

} // namespace

void describe_graph(const std::filesystem::path& file, const GraphRequest& request,
                    Findings& found) {
  auto [graph, trace] = read_file(file, request);
  graph.origin.path = request.name;
  if (request.format == "json")
    write_graph_json(found.output, graph, trace ? &*trace : nullptr);
  else
    write_dot(found.output, graph, findings_in(graph, request.settings));
  if (auto warning = trace ? early_end(graph, *trace) : std::nullopt)
    found.warnings.push_back(*warning);
}

} // namespace model_validator
