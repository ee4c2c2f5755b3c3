#pragma once

#include "lint/file_runner.h"

#include <chrono>

namespace model_validator {

/// As `lint_files`, with each file in a process of its own. One that takes longer than `limit` is
/// ended and reported as an error, as is one that LibTorch crashes on; the others go on. To be
/// called before the program has other threads that do more than wait.
/// @param jobs  processes at a time (0: one a core)
std::size_t lint_files_isolated(const std::vector<FileTask>& tasks, const ReadOptions& options,
                                unsigned jobs, std::chrono::milliseconds limit,
                                const std::stop_token& stop,
                                const std::function<void(FileResult)>& done);

} // namespace model_validator
