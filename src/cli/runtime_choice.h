#pragma once

#include "cli/console/interrupt.h"
#include "cli/console/progress.h"
#include "requests/request_options.h"

#include <model_validator/error.h>
#include <model_validator/verify/request.h>

#include <optional>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// A model, and what is asked for it, as `reduce` and `probe` take them.
struct RuntimeChoice {
  verify::VerifyRequest request;
  InputChoice inputs;
  double timeout = 60; ///< seconds
  bool no_optimise = false;
  std::optional<process::SandboxMode> sandbox;

  verify::VerifyRequest complete() const;
};

/// The argument MODEL.
void add_model(CLI::App& app, RuntimeChoice& choice);
/// The options.
void add_runtime(CLI::App& app, RuntimeChoice& choice);

/// Runs what can be stopped and says what it does. @returns the exit status
template <class Run> int run_until_stopped(verify::VerifyRequest& request, const Run& run) {
  return run_until_interrupted([&](const std::stop_token& stop) {
    request.stop = stop;
    const StatusLine status;
    request.progress = [&status](std::string_view what) { status.show(what); };
    return run([&status] { status.show({}); });
  });
}

} // namespace model_validator::cli
