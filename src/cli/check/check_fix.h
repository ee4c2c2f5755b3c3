#pragma once

#include "lint/file_runner.h"

#include <vector>

namespace model_validator::cli {

/// Edits the source of the findings in models, and marks the findings whose edits were made as
/// suppressed by `fix`: they persist until the model is exported again.
/// @returns how many were marked @throws Error (`cannot-write`, `usage`)
std::size_t fix_results(std::vector<FileResult>& results, const std::vector<FileTask>& tasks);

} // namespace model_validator::cli
