#include "cli/commands.h"
#include "cli/graph_findings.h"
#include "cli/graphviz.h"
#include "cli/input_options.h"
#include "cli/output.h"
#include "cli/reading_command.h"
#include "cli/reading_options.h"
#include "cli/shared_options.h"
#include "lint/standard_input.h"
#include "report/graph_writer.h"

#include <model_validator/trace.h>

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
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
  ReadingChoice reading;
};

/// A graph, with a trace where inputs are given.
struct ReadModel {
  ConnectedGraph graph;
  std::optional<Trace> trace;
};

ReadModel read_file(const std::filesystem::path& file, const std::optional<TraceOptions>& inputs,
                    const ReadOptions& options) {
  if (!inputs) return {read_graph(file, options), std::nullopt};
  TracedGraph traced = trace_graph(file, *inputs, options);
  return {std::move(traced.graph), std::move(traced.trace)};
}

/// The text of the graph: JSON, or DOT for every picture.
CommandOutput graph_as_text(const std::filesystem::path& file, const GraphOptions& options) {
  const auto inputs = options.trace.options();
  const auto settings = settings_for_picture(options.model);
  Reading reading{{file}, {}, {}, options.reading.policy(), options.read};
  if (inputs) reading.beside = inputs->inputs.files;
  return read_confined(reading, [&](Findings& found) {
    auto [graph, trace] = read_file(file, inputs, options.read);
    graph.origin.path = options.model;
    if (options.format == "json")
      write_graph_json(found.output, graph, trace ? &*trace : nullptr);
    else
      write_dot(found.output, draw(graph, findings_in(graph, settings), options.drawing));
    if (auto warning = trace ? early_end(graph, *trace) : std::nullopt)
      found.warnings.push_back(*warning);
  });
}

int run_graph(const GraphOptions& options) {
  std::optional<StandardInput> input;
  if (options.model == "-") input.emplace(STDIN_FILENO);
  const auto graph =
      graph_as_text(input ? input->path() : std::filesystem::path(options.model), options);
  Output output(options.output_file);
  if (options.format == "svg")
    write_svg(output.stream(), graph.text);
  else
    output.stream() << graph.text;
  output.finish();
  return graph.status;
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
  add_reading_options(app, options->reading, "Running");
  return [options] { return run_graph(*options); };
}

} // namespace model_validator::cli
