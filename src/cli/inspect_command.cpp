#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/output.h"
#include "cli/reading_command.h"
#include "cli/reading_options.h"
#include "cli/shared_options.h"
#include "report/model_summary.h"

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
  ReadingChoice reading;
};

ModelSummary summarise(const Model& model, bool with_fingerprint, Findings& found) {
  ModelSummary summary{model, {}, {}};
  if (!with_fingerprint) return summary;
  try {
    summary.fingerprint = model.fingerprint();
  } catch (const Error& error) {
    if (error.kind() != "missing-weights") throw;
    summary.why_no_fingerprint = error.what();
    found.warnings.push_back(
        {"the fingerprint is unknown: " + summary.why_no_fingerprint,
         error.hint() + ", or leave the fingerprint out with `--no-fingerprint`"});
  }
  return summary;
}

void describe_model(const Model& model, const InspectOptions& options, Findings& found) {
  if (options.typed_ir)
    found.output << model.typed_ir();
  else if (options.ir)
    found.output << model.ir();
  else if (options.format == "json")
    write_summary_json(found.output, summarise(model, !options.no_fingerprint, found));
  else
    write_summary_text(found.output, summarise(model, !options.no_fingerprint, found));
  if (!model.trace()) return;
  if (const auto warning = early_end(model.graph(), *model.trace()))
    found.warnings.push_back(*warning);
}

int run_inspect(const InspectOptions& options) {
  const auto inputs = options.trace.options();
  Reading reading{{options.model}, {}, {}, options.reading.policy(), options.read};
  if (inputs) reading.beside = inputs->inputs.files;
  const auto description = read_confined(reading, [&](Findings& found) {
    describe_model(inputs ? Model(options.model, *inputs, options.read)
                          : Model(options.model, options.read),
                   options, found);
  });
  Output output(options.output_file);
  output.stream() << description.text;
  output.finish();
  return description.status;
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
  add_reading_options(app, options->reading, "Running");
  return [options] { return run_inspect(*options); };
}

} // namespace model_validator::cli
