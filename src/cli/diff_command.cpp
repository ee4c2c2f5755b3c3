#include "cli/commands.h"
#include "cli/console/option_adder.h"
#include "cli/console/reading_command.h"
#include "cli/console/shared_options.h"
#include "requests/diff_request.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {
namespace {

struct DiffOptions {
  std::filesystem::path first;
  std::filesystem::path second;
  DiffRequest request;
  std::filesystem::path output_file;
  ReadingLimits reading;
};

int run_diff(const DiffOptions& options) {
  const Reading reading{
      {options.first, options.second}, {}, {}, options.reading.policy(), options.request.read};
  return read_and_print(
      reading,
      [&](Findings& found) {
        describe_difference(options.first, options.second, options.request, found);
      },
      options.output_file, options.request.format == "html" ? Passes::commands : Passes::text);
}

} // namespace

Run add_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  options->request.read = graph_read_options();
  app.add_option("A", options->first, "a model")->required()->type_name("");
  app.add_option("B", options->second, "the other")->required()->type_name("");
  OptionAdder(app, default_group)
      .option({"output-format", "FORMAT", "text, json, or html: a page", {"text", "json", "html"}},
              options->request.format);
  add_output_file(app, options->output_file);
  add_op_library(app, options->request.read.operator_libraries);
  add_limits(app, options->reading);
  return [options] { return run_diff(*options); };
}

} // namespace model_validator::cli
