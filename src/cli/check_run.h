#pragma once

#include "cli/check_options.h"

namespace model_validator::cli {

/// Lints the models and writes the report. @returns the exit status @throws Error, BrokenPipe
int run_check(const CheckOptions& options);

} // namespace model_validator::cli
