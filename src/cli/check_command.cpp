#include "cli/check/check_options.h"
#include "cli/check/check_run.h"
#include "cli/commands.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {

Run add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  add_check_options(app, *options);
  return [options] { return run_check(*options); };
}

} // namespace model_validator::cli
