#include "cli/asked_profile.h"
#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "cli/console/shared_options.h"
#include "cli/runtime_choice.h"
#include "libraries/verify_library.h"
#include "requests/reading.h"

#include <model_validator/verify/probe.h>

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {
namespace {

struct ProbeOptions {
  RuntimeChoice runtime;
  verify::ProbeRequest request;
  std::filesystem::path output_file;
  std::filesystem::path profile; ///< to be written
};

/// What is in the file already is kept.
void write_profile(const ProbeOptions& options, const verify::ProbeResult& result) {
  const verify::VerifyRequest& asked = options.runtime.request;
  Reading reading;
  reading.models = {asked.reference};
  const bool is_there = std::filesystem::exists(options.profile);
  if (is_there) reading.beside = {options.profile};
  if (options.runtime.sandbox) reading.policy.sandbox = *options.runtime.sandbox;
  const std::string usual = asked.command.empty() ? "onnxruntime" : "command";
  const std::string target = asked.backend.empty() ? usual : asked.backend;
  const ReadingResult written = read_confined(reading, [&](Findings& found) {
    found.output << asked_profile(asked.reference, reading.options, result, target,
                                  is_there ? options.profile : std::filesystem::path());
  });
  print(written.text, options.profile);
}

int run_probe(const ProbeOptions& options) {
  verify::ProbeRequest request = options.request;
  request.verify = options.runtime.complete();
  request.all = request.all || !options.profile.empty();
  return run_until_stopped(request.verify, [&](const auto& clear_line) {
    const verify::ProbeResult result = verify_library().probe(request);
    clear_line();
    print(result.output, options.output_file);
    if (!options.profile.empty()) write_profile(options, result);
    if (result.is_interrupted) throw Error(ErrorKind::interrupted, "", "the run was interrupted");
    return result.is_right ? clean : findings;
  });
}

} // namespace

Run add_probe(CLI::App& app) {
  auto options = std::make_shared<ProbeOptions>();
  add_model(app, options->runtime);
  add_runtime(app, options->runtime);
  OptionAdder asking(app, "Asking");
  asking.option({"all", "", "ask for each kind of node, also where the model is right as a whole"},
                options->request.all);
  asking.option({"answers", "FOLDER",
                 "where answers are kept, so that nothing is asked twice (default: a cache of "
                 "your own)"},
                options->request.answers);
  asking.option({"j,--jobs",
                 "N",
                 "how many processes ask at once (default: one per core)",
                 {},
                 Bounds{1, 1024}},
                options->request.jobs);
  OptionAdder output(app, "Output");
  output.option({"write-profile", "FILE",
                 "ask for each kind of node, and add the answers to a target profile, by which "
                 "`check --profile` judges on any machine"},
                options->profile);
  output.option({"output-format", "FORMAT", "table or json", {"table", "json"}},
                options->request.output_format);
  add_output_file(app, options->output_file)->group("Output");
  app.footer("Exit status: 0 right, 1 refused, failed or different, 2 usage or unreadable file, 3 "
             "internal error.");
  return [options] { return run_probe(*options); };
}

} // namespace model_validator::cli
