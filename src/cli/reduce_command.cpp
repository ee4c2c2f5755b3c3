#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "cli/runtime_choice.h"
#include "libraries/verify_library.h"

#include <model_validator/verify/reduce.h>

#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>

namespace model_validator::cli {
namespace {

struct ReduceOptions {
  RuntimeChoice runtime;
  std::filesystem::path folder;
  double time = 600; ///< seconds
};

int run_reduce(const ReduceOptions& options) {
  verify::ReduceRequest request{options.runtime.complete(), options.folder,
                                std::chrono::seconds(std::llround(options.time))};
  return run_until_stopped(request.verify, [&](const auto& clear_line) {
    const verify::ReduceResult result = verify_library().reduce(request);
    clear_line();
    print(result.output);
    return result.fails ? clean : findings;
  });
}

} // namespace

Run add_reduce(CLI::App& app) {
  auto options = std::make_shared<ReduceOptions>();
  add_model(app, options->runtime);
  app.add_option("CANDIDATE", options->runtime.request.candidate,
                 "another file of it, which differs")
      ->type_name("");
  app.add_option("-o,--output-folder", options->folder,
                 "where the reduced model and its bug report are written; must not be there yet")
      ->required()
      ->type_name("FOLDER");
  add_runtime(app, options->runtime);
  OptionAdder(app, "Running")
      .option({"time",
               "S",
               "seconds after which the smallest model so far is taken",
               {},
               Bounds{1, 1e6}},
              options->time);
  app.footer("Exit status: 0 reduced, 1 the model does not fail, 2 usage or unreadable file, 3 "
             "internal error.");
  return [options] { return run_reduce(*options); };
}

} // namespace model_validator::cli
