#pragma once

#include "cli/check/check_options.h"
#include "lint/file_runner.h"

#include <stop_token>
#include <vector>

namespace model_validator::cli {

/// The findings in models, except the suppressed ones.
/// @returns one result per task @throws Error where one cannot be read; (`interrupted`)
std::vector<FileResult> find_all(const std::vector<FileTask>& tasks, const CheckOptions& options,
                                 const std::stop_token& stop);

/// Those findings of one result that count.
std::vector<Diagnostic> open_findings(FileResult result);

} // namespace model_validator::cli
