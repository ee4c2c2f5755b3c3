#pragma once

#include "files/process/model_reading.h"
#include "lint/file_runner.h"

#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace model_validator {

/// How many files are linted.
struct LintPolicy {
  process::ReadingPolicy reading;
  unsigned jobs = 0; ///< processes at a time (0: one per core)
};

/// Lints each file in a confined process of its own, and hands each result, in the order of
/// `tasks`, to `done` on the calling thread. However a process fails, that is one error of its
/// file; the others go on. When asked to stop, starts no more files, ends those in progress and
/// hands over what is finished.
///
/// Must be called before the program has other threads that do more than wait.
/// @returns the number of files handed over
/// @throws Error (`no-sandbox`)
std::size_t lint_files(const std::vector<FileTask>& tasks, const ReadOptions& options,
                       const LintPolicy& policy, const std::stop_token& stop,
                       const std::function<void(FileResult)>& done);

/// The same for one.
FileResult lint_file_confined(const FileTask& task, const ReadOptions& options,
                              const process::ReadingPolicy& policy);

/// What `to_bytes` gave in a reader of the task: it may say anything about its file, and nothing
/// about another. @throws Error for what is no result
FileResult result_of_reader(const FileTask& task, std::string_view bytes);

} // namespace model_validator
