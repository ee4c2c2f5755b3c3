#include "cli/check/check_options.h"
#include "cli/commands.h"
#include "cli/console/option_adder.h"
#include "cli/console/shared_options.h"
#include "cli/fix/fix_run.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {

Run add_fix(CLI::App& app) {
  auto options = std::make_shared<FixOptions>();
  app.add_option("MODEL", options->check.models, "files, folders, patterns")
      ->required()
      ->type_name("");
  add_setting_options(app, options->check);
  constexpr const char* group = "Source";
  OptionAdder source(app, group);
  source.option({"write", "", "edit the files; without it, a diff is printed"}, options->write);
  source.option({"modules", "PACKAGE",
                 "a package whose classes stand for operations, such as "
                 "aimet_torch.nn.modules.custom; without it, a file of classes is written next to "
                 "the source"},
                options->source.modules);
  source.option({"unsafe", "", "make edits, too, that need a proof, without one"},
                options->source.unsafe);
  app.add_option("--rebuild", options->rebuild,
                 "with --write: export the model again with this command, which writes it to "
                 "`{output}`, and keep the edits that are proved to leave it the same, those that "
                 "need a proof among them")
      ->needs("--write")
      ->type_name("LINE")
      ->group(group);
  app.add_option("--prove-with", options->prove_with,
                 "with --rebuild: a command that has to succeed after each export as well, such as "
                 "`pytest tests/`")
      ->needs("--rebuild")
      ->type_name("LINE")
      ->group(group);
  options->inputs.inputs.samples = options->inputs.usual_samples = 3;
  add_inputs(app, options->inputs);
  OptionAdder(app, "Output")
      .option({"output-format", "FORMAT", "diff or json", {"diff", "json"}}, options->format);
  add_output_file(app, options->check.output_file)->group("Output");
  constexpr const char* running = "Running";
  add_op_library(app, options->check.operator_libraries)->group(running);
  add_limits(app, options->check.reading);
  app.footer(
      "Exit status: 0 nothing to fix, 1 there is a diff (with --rebuild: an edit was taken back), "
      "2 usage or unreadable file, 3 internal error.");
  return [options] { return run_fix(*options); };
}

} // namespace model_validator::cli
