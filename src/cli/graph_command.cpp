#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "cli/console/reading_command.h"
#include "cli/console/shared_options.h"
#include "lint/standard_input.h"
#include "requests/graph_findings.h"
#include "requests/graph_request.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <unistd.h>

namespace model_validator::cli {
namespace {

struct GraphOptions {
  std::string model;
  std::filesystem::path output_file;
  GraphRequest request;
  TraceChoice trace;
  ReadingLimits reading;
};

CommandOutput graph_as_text(const std::filesystem::path& file, const GraphOptions& options) {
  GraphRequest request = options.request;
  request.name = options.model;
  request.trace = trace_of(options.trace);
  request.settings = settings_for_graph(options.model);
  Reading reading{{file}, {}, {}, options.reading.policy(), request.read};
  if (request.trace) reading.beside = request.trace->inputs.files;
  return read_and_warn(reading, [&](Findings& found) { describe_graph(file, request, found); });
}

int run_graph(const GraphOptions& options) {
  std::optional<StandardInput> input;
  if (options.model == "-") input.emplace(STDIN_FILENO);
  const auto file = input ? input->path() : std::filesystem::path(options.model);
  const auto graph = graph_as_text(file, options);
  Output output(options.output_file);
  output.stream() << graph.text;
  output.finish();
  return graph.status;
}

} // namespace

Run add_graph(CLI::App& app) {
  auto options = std::make_shared<GraphOptions>();
  options->request.read = graph_read_options();
  app.add_option("MODEL", options->model, "the file; `-` reads standard input")
      ->required()
      ->type_name("");
  OptionAdder adder(app, default_group);
  adder.option({"format", "FORMAT", "json or dot (for Graphviz)", {"json", "dot"}},
               options->request.format);
  add_output_file(app, options->output_file);
  add_op_library(app, options->request.read.operator_libraries);
  add_trace(app, options->trace);
  add_limits(app, options->reading);
  return [options] { return run_graph(*options); };
}

} // namespace model_validator::cli
