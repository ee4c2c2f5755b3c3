#include "cli/commands.h"
#include "cli/console/interrupt.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "cli/console/reading_command.h"
#include "cli/console/shared_options.h"
#include "cli/console/terminal.h"
#include "partition/subgraph_folder.h"
#include "requests/partition_request.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>

namespace model_validator::cli {
namespace {

struct PartitionOptions {
  std::filesystem::path model;
  PartitionRequest request;
  bool force = false;
  std::filesystem::path output_file;
  ColorChoice color = ColorChoice::automatic;
  ReadingLimits reading;
};

bool is_colored(const PartitionOptions& options) {
  return options.output_file.empty() && wants_color(options.color, Stream::output);
}

int run_partition(const PartitionOptions& options) {
  PartitionRequest request = options.request;
  request.style.color = is_colored(options);
  const partition::Options plan_options = plan_options_of(request);
  const InterruptWatch interrupt(InterruptWatch::Afterwards::ends);
  std::optional<partition::NewSubgraphFolder> folder;
  if (!request.folder.empty()) folder.emplace(request.folder, options.force, interrupt.token());
  const std::filesystem::path subgraphs = folder ? folder->path() : std::filesystem::path();
  const Reading reading{{options.model},
                        request.open.inputs.files,
                        subgraphs,
                        options.reading.policy(),
                        request.open.read};
  const auto division = read_and_warn(reading, [&](Findings& found) {
    describe_partition(options.model, request, plan_options, subgraphs, found);
  });
  if (folder) folder->put_in_place();
  const bool page = request.format == "html";
  print(division.text, options.output_file,
        page                  ? Passes::commands
        : is_colored(options) ? Passes::colors
                              : Passes::text);
  return division.status;
}

void add_division(CLI::App& app, PartitionOptions& options) {
  constexpr const char* group = "Division";
  OptionAdder adder(app, group);
  describe_division(adder, options.request);
  add_op_library(app, options.request.open.read.operator_libraries)->group(group);
  add_limits(app, options.reading);
}

void add_output(CLI::App& app, PartitionOptions& options) {
  constexpr const char* group = "Output";
  OptionAdder adder(app, group);
  adder.option(
      {"output-format", "FORMAT", "table, json, or html: a page", {"table", "json", "html"}},
      options.request.format);
  adder.option(
      {"emit", "FOLDER", "write each partition to its own file, and a manifest, in a new folder"},
      options.request.folder);
  adder.option({"force", "", "replace an existing folder of subgraphs"}, options.force);
  add_output_file(app, options.output_file)->group(group);
  add_color(app, options.color)->group(group);
  app.add_flag("-v,--verbose", options.request.style.verbose, "list all lines of Python")
      ->group(group);
}

} // namespace

Run add_partition(CLI::App& app) {
  auto options = std::make_shared<PartitionOptions>();
  app.add_option("MODEL", options->model, "the file")->required()->type_name("");
  add_division(app, *options);
  OptionAdder adder(app, "Inputs, for multiply-accumulates");
  describe_shapes(adder, options->request.open.inputs);
  add_output(app, *options);
  app.footer("Exit status: 0 divided, 1 with --fallback none: an op runs nowhere, 2 usage or "
             "unreadable file, 3 internal error.");
  return [options] { return run_partition(*options); };
}

} // namespace model_validator::cli
