#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "lint/standard_input.h"
#include "report/graph_writer.h"

#include <model_validator/graph_reader.h>

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
  ReadOptions read;
};

ConnectedGraph read_model(const GraphOptions& options) {
  std::optional<StandardInput> input;
  if (options.model == "-") input.emplace(STDIN_FILENO);
  ConnectedGraph graph =
      read_graph(input ? input->path() : std::filesystem::path(options.model), options.read);
  graph.origin.path = options.model;
  return graph;
}

int run_graph(const GraphOptions& options) {
  const ConnectedGraph graph = read_model(options);
  Output output(options.output_file);
  if (options.format == "dot")
    write_graph_dot(output.stream(), graph);
  else
    write_graph_json(output.stream(), graph);
  output.finish();
  return clean;
}

} // namespace

Run add_graph(CLI::App& app) {
  auto options = std::make_shared<GraphOptions>();
  app.add_option("MODEL", options->model, "the file; `-` reads standard input")
      ->required()
      ->type_name("");
  app.add_option("--format", options->format, "json or dot")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"json", "dot"}))
      ->capture_default_str();
  app.add_option("--output-file", options->output_file, "write the graph there")->type_name("FILE");
  app.add_option("--op-library", options->read.operator_libraries,
                 "a shared library that registers custom operators")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE");
  return [options] { return run_graph(*options); };
}

} // namespace model_validator::cli
