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
  source.option({"write", "",
                 "export the model again with the edits made, and keep those that are proved to "
                 "leave it the same and touch nothing that other code names; without it, a diff is "
                 "printed"},
                options->write);
  source.option({"modules", "PACKAGE",
                 "a package whose classes stand for operations, such as "
                 "aimet_torch.nn.modules.custom; without it, a file of classes is written next to "
                 "the source"},
                options->modules);
  const auto with_write = [&](CLI::Option* option) { option->needs("--write")->group(group); };
  const auto command = [&](const char* name, std::string& line, const char* help) {
    with_write(app.add_option(name, line, help)->type_name("LINE"));
  };
  command("--rebuild", options->commands.rebuild,
          "with --write: the command that exports the model, to `{output}`; it is asked for once, "
          "and kept in a file of yours, not of the project");
  command("--prove-with", options->commands.tests,
          "with --write: a command that has to succeed after each export as well, such as "
          "`pytest -q`");
  with_write(app.add_flag("--write-mentioned", options->write_mentioned,
                          "with --write: edits, too, that touch what other code names"));
  with_write(app.add_flag("--unproven", options->unproven,
                          "with --write: write all edits as they are, without exporting, running "
                          "or comparing anything"));
  options->inputs.usual_samples = 3;
  options->inputs.about_samples = "number of sets of random values (default: 3)";
  add_inputs(app, options->inputs);
  OptionAdder(app, "Output")
      .option({"output-format", "FORMAT", "diff or json", {"diff", "json"}}, options->format);
  add_output_file(app, options->check.output_file)->group("Output");
  constexpr const char* running = "Running";
  add_op_library(app, options->check.operator_libraries)->group(running);
  add_limits(app, options->check.reading);
  app.footer(
      "Exit status: 0 nothing to fix, 1 there is a diff (with --write: an edit was taken back), "
      "2 usage or unreadable file, 3 internal error.");
  return [options] { return run_fix(*options); };
}

} // namespace model_validator::cli
