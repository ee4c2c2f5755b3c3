#include "lint/linting_process.h"

#include "lint/result_bytes.h"
#include "text/process_words.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace model_validator {
namespace {

void write_all(int to, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(to, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

/// Never returns: the child must not run what the parent has left to do.
[[noreturn]] void run_child(const FileTask& task, const ReadOptions& options, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  write_all(pipe, to_bytes(lint_file(task, options)));
  ::_exit(0);
}

Error no_process_for(const FileTask& task) {
  return Error("internal-error", task.file.name, "no process can be started",
               "lint fewer files at once with `-j 1`, or raise `ulimit -u` and `ulimit -n`");
}

} // namespace

LintingProcess::LintingProcess(const FileTask& task, const ReadOptions& options,
                               std::chrono::milliseconds limit)
    : task_(task), limit_(limit), deadline_(Clock::now() + limit) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw no_process_for(task);
  process_ = ::fork();
  if (process_ == 0) run_child(task, options, ends[1]);
  ::close(ends[1]);
  pipe_ = ends[0];
  ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
  if (process_ > 0) return;
  ::close(pipe_);
  throw no_process_for(task);
}

LintingProcess::~LintingProcess() {
  if (process_ > 0) end();
  ::close(pipe_);
}

std::chrono::milliseconds LintingProcess::time_left() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

/// Ends the process if it has not ended. @returns its status, as `waitpid` gives it
int LintingProcess::end() {
  ::kill(process_, SIGKILL);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

/// @returns false at the end of what comes
bool LintingProcess::read_some() {
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(pipe_, buffer.data(), buffer.size());
    if (count == 0) return false;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::optional<FileResult> LintingProcess::result() {
  if (!read_some()) return completed();
  if (Clock::now() >= deadline_) return timed_out();
  return std::nullopt;
}

FileResult LintingProcess::timed_out() {
  end();
  return failed_result(task_,
                       Error("timed-out", task_.file.name,
                             "linting the model took longer than " + seconds_in_words(limit_),
                             "give it more time with `--timeout`"),
                       false);
}

FileResult LintingProcess::completed() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (status != 0)
    return failed_result(task_,
                         Error("crashed", task_.file.name,
                               "the process that linted the model " + ending_in_words(status),
                               "this is a fault in model_validator or LibTorch: please report it"),
                         true);
  FileResult result = result_from(received_);
  result.settings = task_.settings;
  return result;
}

} // namespace model_validator
