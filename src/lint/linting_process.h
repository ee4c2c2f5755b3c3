#pragma once

#include "lint/file_runner.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>

namespace model_validator {

/// A process that lints one file. It ends with this object.
class LintingProcess {
public:
  /// @throws Error (`internal-error`) where no process can be started
  LintingProcess(const FileTask& task, const ReadOptions& options, std::chrono::milliseconds limit);
  ~LintingProcess();
  LintingProcess(const LintingProcess&) = delete;
  LintingProcess& operator=(const LintingProcess&) = delete;

  /// Readable when there is something to take or the process has ended.
  int descriptor() const noexcept { return pipe_; }
  std::chrono::milliseconds time_left() const;

  /// Takes what has come. @returns the result once it is there, the time is over, or the process
  /// has ended without one
  std::optional<FileResult> result();

private:
  using Clock = std::chrono::steady_clock;
  bool read_some();
  int end();
  FileResult timed_out();
  FileResult completed();

  FileTask task_;
  std::chrono::milliseconds limit_;
  Clock::time_point deadline_;
  int pipe_ = -1;
  pid_t process_ = -1;
  std::string received_;
};

} // namespace model_validator
