#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/input_options.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "report/model_summary.h"
#include "text/escape.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {
namespace {

struct InspectOptions {
  std::filesystem::path model;
  std::string format = "table";
  bool ir = false;
  bool typed_ir = false;
  bool no_fingerprint = false;
  std::filesystem::path output_file;
  ReadOptions read = reading_for_itself();
  TraceChoice trace;
};

ModelSummary summarise(const Model& model, bool with_fingerprint) {
  ModelSummary summary{model, {}, {}};
  if (!with_fingerprint) return summary;
  try {
    summary.fingerprint = model.fingerprint();
  } catch (const Error& error) {
    if (error.kind() != "missing-weights") throw;
    summary.why_no_fingerprint = error.what();
    print_warning("the fingerprint is unknown: " + summary.why_no_fingerprint,
                  error.hint() + ", or leave the fingerprint out with `--no-fingerprint`");
  }
  return summary;
}

Model read_model(const InspectOptions& options) {
  const auto inputs = options.trace.options();
  return inputs ? Model(options.model, *inputs, options.read) : Model(options.model, options.read);
}

int run_inspect(const InspectOptions& options) {
  const Model model = read_model(options);
  Output output(options.output_file);
  if (options.typed_ir)
    output.stream() << escape_lines(model.typed_ir());
  else if (options.ir)
    output.stream() << escape_lines(model.ir());
  else if (options.format == "json")
    write_summary_json(output.stream(), summarise(model, !options.no_fingerprint));
  else
    write_summary_text(output.stream(), summarise(model, !options.no_fingerprint));
  output.finish();
  if (model.trace()) warn_of_early_end(model.graph(), *model.trace());
  return clean;
}

} // namespace

Run add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  app.add_option("MODEL", options->model, "the file")->required()->type_name("");
  add_choice(app, {"--output-format", "FORMAT", "table or json"}, options->format,
             {"table", "json"});
  app.add_flag("--ir", options->ir, "print the model as text instead, one op a line");
  app.add_flag("--typed-ir", options->typed_ir, "the same with dtypes and shapes");
  app.add_flag("--no-fingerprint", options->no_fingerprint, "do not read the weights");
  add_output_file(app, options->output_file);
  add_op_library(app, options->read.operator_libraries);
  add_trace_options(app, options->trace);
  return [options] { return run_inspect(*options); };
}

} // namespace model_validator::cli
