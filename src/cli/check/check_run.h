#pragma once

#include "cli/check/check_options.h"
#include "lint/file_runner.h"

#include <vector>

namespace model_validator::cli {

/// The files that the options name, each with its settings. @throws Error
std::vector<FileTask> tasks_of(const CheckOptions& options, const Registry& registry);

/// Lints the models and writes the report. @returns the exit status @throws Error, BrokenPipe
int run_check(const CheckOptions& options);

} // namespace model_validator::cli
