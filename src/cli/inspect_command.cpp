#include "cli/commands.h"
#include "cli/console/option_adder.h"
#include "cli/console/progress.h"
#include "cli/console/reading_command.h"
#include "cli/console/shared_options.h"
#include "requests/inspect_request.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {
namespace {

struct InspectOptions {
  std::filesystem::path model;
  bool ir = false;
  bool typed_ir = false;
  bool no_fingerprint = false;
  std::filesystem::path output_file;
  InspectRequest request;
  TraceChoice trace;
  ReadingLimits reading;
};

InspectRequest request_of(const InspectOptions& options) {
  InspectRequest request = options.request;
  if (options.ir) request.format = "ir";
  if (options.typed_ir) request.format = "typed-ir";
  request.fingerprint = !options.no_fingerprint;
  request.trace = trace_of(options.trace);
  return request;
}

int run_inspect(const InspectOptions& options) {
  const InspectRequest request = request_of(options);
  Reading reading{{options.model}, {}, {}, options.reading.policy(), request.read};
  if (request.trace) reading.beside = request.trace->inputs.files;
  return read_and_print(
      reading,
      [&](Findings& found) {
        const StatusLine status;
        if (request.fingerprint)
          status.show("reading the weights for the fingerprint (--no-fingerprint leaves it out)");
        describe_model(options.model, request, found);
      },
      options.output_file);
}

} // namespace

Run add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  options->request.read = graph_read_options();
  app.add_option("MODEL", options->model, "the file")->required()->type_name("");
  OptionAdder adder(app, default_group);
  adder.option({"output-format", "FORMAT", "table or json", {"table", "json"}},
               options->request.format);
  adder.option({"ir", "", "print the model as text instead, one op per line"}, options->ir);
  adder.option({"typed-ir", "", "the same with dtypes and shapes"}, options->typed_ir);
  adder.option({"no-fingerprint", "", "do not read the weights"}, options->no_fingerprint);
  add_output_file(app, options->output_file);
  add_op_library(app, options->request.read.operator_libraries);
  add_trace(app, options->trace);
  add_limits(app, options->reading);
  return [options] { return run_inspect(*options); };
}

} // namespace model_validator::cli
