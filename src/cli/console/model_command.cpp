#include "cli/console/model_command.h"

#include "cli/console/exit_status.h"
#include "cli/console/interrupt.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "cli/console/progress.h"
#include "cli/console/shared_options.h"
#include "lint/standard_input.h"
#include "requests/model_request.h"
#include "text/guarded_output.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace model_validator::cli {
namespace {

struct ModelRun {
  const ModelCommand* command;
  std::unique_ptr<ModelRequest> request;
  std::filesystem::path output_file;
  ColorChoice color = ColorChoice::automatic;
};

Passes passes_for(const ModelRequest& request) {
  if (request.format == "html") return Passes::commands;
  return request.style.color ? Passes::colors : Passes::text;
}

/// Does the work in a confined process, and prints its warnings.
ReadingResult read_and_warn(const ModelRequest& request) {
  ReadingResult result = read_confined(reading_of(request), [&](Findings& found) {
    const StatusLine status;
    if (const std::string what = request.takes_long(); !what.empty()) status.show(what);
    request.run(found);
  });
  for (const std::string& line : result.printed)
    GuardedStream(std::cerr, false) << "the model printed: " << line << '\n';
  for (const Warning& warning : result.warnings) print_warning(warning.sentence, warning.hint);
  return result;
}

int run(ModelRun& run) {
  ModelRequest& request = *run.request;
  std::optional<StandardInput> input;
  for (CalledModel& model : request.models) model.path = model.name;
  if (run.command->piped && request.models.front().name == "-")
    request.models.front().path = input.emplace(STDIN_FILENO).path();
  request.style.color =
      run.command->colored && run.output_file.empty() && wants_color(run.color, Stream::output);
  std::optional<InterruptWatch> interrupt;
  if (request.writes()) request.stop = interrupt.emplace(InterruptWatch::Afterwards::ends).token();
  request.prepare();
  const ReadingResult result = read_and_warn(request);
  request.finish();
  print(result.text, run.output_file, passes_for(request));
  return result.status;
}

void add_models(CLI::App& app, ModelRun& run) {
  run.request->models.resize(run.command->models.size());
  for (std::size_t i = 0; i < run.request->models.size(); ++i)
    app.add_option(run.command->models[i].name, run.request->models[i].name,
                   run.command->models[i].help)
        ->required()
        ->type_name("");
}

} // namespace

std::function<int()> add_model_command(CLI::App& app) {
  auto used = std::make_shared<ModelRun>();
  used->command = find_model_command(app.get_name());
  used->request = used->command->make();
  ModelRequest& request = *used->request;
  add_models(app, *used);
  OptionAdder adder(app, default_group);
  request.format = used->command->format.words.front();
  adder.option(used->command->format, request.format);
  request.describe(adder, ModelRequest::Asked::by_command);
  if (used->command->verbose != nullptr)
    app.add_flag("-v,--verbose", request.style.verbose, used->command->verbose);
  if (used->command->colored) add_color(app, used->color);
  add_output_file(app, used->output_file);
  add_op_library(app, request.read.operator_libraries);
  add_limits(app, request.limits);
  if (used->command->closing != nullptr) app.footer(used->command->closing);
  return [used] { return run(*used); };
}

} // namespace model_validator::cli
