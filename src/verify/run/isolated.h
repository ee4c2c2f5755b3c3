#pragma once

#include <model_validator/error_kind.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace model_validator::process {
class WorkerProcess;
}

namespace model_validator::verify {

/// How work in a process of its own ended.
struct IsolatedOutcome {
  enum class Ending { done, failed, crashed, timed_out };
  Ending ending = Ending::done;
  std::optional<ErrorKind> kind; ///< of the Error that ended it
  std::string message;           ///< one sentence where it did not end well
  std::string hint;
};

/// How the process in which a model runs is confined.
struct Isolation {
  std::filesystem::path folder; ///< where it leaves results; it may write nowhere else
  std::optional<std::chrono::milliseconds> limit = {};
  std::optional<std::uint64_t> max_memory = {}; ///< bytes beyond those at its start
  std::string sandbox = "auto";                 ///< `off` for a program that the user names
  bool uses_gpu = false;                        ///< which needs files of /dev
  std::stop_token stop = {};
  bool becomes_program = false; ///< or starts one, which is confined likewise
};

/// Runs `work` in a forked process, so that whatever it does to itself is reported and not shared.
/// It may read every file and write beneath its folder, which also holds its temporary files; it
/// starts no program and opens no connection. The process, and all it started, are ended at the
/// time limit, and with the calling process.
///
/// The calling process must not have computed with LibTorch before: OpenMP does not survive a fork.
/// @throws Error (`interrupted`) when asked to stop; (`no-sandbox`)
IsolatedOutcome run_isolated(const std::function<void()>& work, const Isolation& isolation);

/// Such a process that stays, and does one thing after the other.
class IsolatedRunner {
public:
  using Work = std::function<void(const std::string& request)>;
  explicit IsolatedRunner(Isolation isolation);
  ~IsolatedRunner();
  IsolatedRunner(const IsolatedRunner&) = delete;
  IsolatedRunner& operator=(const IsolatedRunner&) = delete;

  /// Where there is no process, one is started for this request and those that follow. An Error of
  /// the work is the outcome, and the process stays; it ends with any other bad ending.
  /// @param work  of a process that is started now, which has what the caller has at that time
  /// @param limit  of this request alone
  IsolatedOutcome ask(const Work& work, const std::string& request,
                      std::optional<std::chrono::milliseconds> limit);

private:
  Isolation isolation_;
  std::unique_ptr<process::WorkerProcess> process_;
};

/// Something to be done in a process of its own.
struct IsolatedWork {
  std::function<void()> work;
  Isolation isolation;
};
/// The same for several at once.
std::vector<IsolatedOutcome> run_isolated(const std::vector<IsolatedWork>& works);

} // namespace model_validator::verify
