#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/graph_findings.h"
#include "cli/graphviz.h"
#include "cli/input_options.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "lint/standard_input.h"
#include "report/graph_writer.h"

#include <model_validator/trace.h>

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace model_validator::cli {
namespace {

struct GraphOptions {
  std::string model;
  std::string format = "json";
  std::filesystem::path output_file;
  DrawingOptions drawing;
  ReadOptions read = reading_for_itself();
  TraceChoice trace;
};

/// A graph, with a trace where inputs are given.
struct ReadModel {
  ConnectedGraph graph;
  std::optional<Trace> trace;
};

ReadModel read_file(const std::filesystem::path& file, const GraphOptions& options) {
  const auto inputs = options.trace.options();
  if (!inputs) return {read_graph(file, options.read), std::nullopt};
  TracedGraph traced = trace_graph(file, *inputs, options.read);
  return {std::move(traced.graph), std::move(traced.trace)};
}

ReadModel read_model(const GraphOptions& options) {
  std::optional<StandardInput> input;
  if (options.model == "-") input.emplace(STDIN_FILENO);
  ReadModel model =
      read_file(input ? input->path() : std::filesystem::path(options.model), options);
  model.graph.origin.path = options.model;
  return model;
}

void write_picture(std::ostream& out, const ConnectedGraph& graph, const GraphOptions& options) {
  const Drawing drawing = draw(graph, findings_in(graph), options.drawing);
  if (options.format == "dot") return write_dot(out, drawing);
  std::ostringstream dot;
  write_dot(dot, drawing);
  write_svg(out, dot.str());
}

int run_graph(const GraphOptions& options) {
  const auto [graph, trace] = read_model(options);
  Output output(options.output_file);
  if (options.format == "json")
    write_graph_json(output.stream(), graph, trace ? &*trace : nullptr);
  else
    write_picture(output.stream(), graph, options);
  output.finish();
  if (trace) warn_of_early_end(graph, *trace);
  return clean;
}

} // namespace

Run add_graph(CLI::App& app) {
  auto options = std::make_shared<GraphOptions>();
  app.add_option("MODEL", options->model, "the file; `-` reads standard input")
      ->required()
      ->type_name("");
  add_choice(app, {"--format", "FORMAT", "json, dot (for Graphviz) or svg (drawn by Graphviz)"},
             options->format, {"json", "dot", "svg"});
  app.add_option("--depth", options->drawing.depth,
                 "in a picture, close the modules that many levels below the model "
                 "(default: as deep as stays readable)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--queries", options->drawing.queries,
               "in a picture, show ops that only handle sizes and lists as well");
  add_output_file(app, options->output_file);
  add_op_library(app, options->read.operator_libraries);
  add_trace_options(app, options->trace);
  return [options] { return run_graph(*options); };
}

} // namespace model_validator::cli
