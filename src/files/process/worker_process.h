#pragma once

#include "files/process/process_limits.h"
#include "files/process/sandbox.h"

#include <model_validator/error.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <variant>

namespace model_validator::process {

/// How long a request to stop may go unnoticed while waiting for workers.
inline constexpr std::chrono::milliseconds patience{100};

/// How often work may restart with a library that it asked for. There are two; a worker that asks
/// for more is not reading a model.
inline constexpr std::size_t max_requests = 2;

/// How a worker is confined.
struct Confinement {
  SandboxMode sandbox = SandboxMode::automatic;
  Permissions permissions;
  Limits limits;
};

/// How a worker ended, and what it left.
struct WorkerResult {
  enum class Ending : std::uint8_t {
    done,
    failed,        ///< by an exception: `error`
    needs_library, ///< `bytes` names it
    refused,       ///< it asked the kernel for `bytes`: a forbidden call, with its name if known
    crashed,       ///< `bytes` says how: `was ended by signal 11 (Segmentation fault)`
    out_of_memory,
    out_of_processor_time,
    timed_out,
    stopped ///< because the caller was asked to stop
  };
  Ending ending = Ending::done;
  std::string bytes; ///< its result, if it is done
  std::optional<Error> error;
  std::string printed; ///< what it wrote to its standard streams, up to 64 KiB
};

/// A process that works on untrusted data, and can do nothing but compute. However it ends, the
/// caller learns of it. It ends with this object, and with the calling thread.
///
/// Must be made while the caller has no other threads that hold locks, and has not computed with
/// LibTorch: OpenMP does not survive a fork.
class WorkerProcess {
public:
  /// @param work  done in the process; what it returns comes back
  /// @throws Error (`no-sandbox`) where the mode is `require` and the kernel does not offer
  /// everything; (`internal-error`) where no process can be started
  WorkerProcess(const std::function<std::string()>& work, const Confinement& confinement);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Readable when there is something to take or the process has ended.
  int descriptor() const noexcept { return pipe_; }
  /// None where its time is not limited.
  std::optional<std::chrono::milliseconds> time_left() const;

  /// Takes what has come, without waiting. @returns the result once it has ended
  std::optional<WorkerResult> poll();
  /// Waits until it has ended.
  WorkerResult wait(const std::stop_token& stop = {});

  /// Hands a worker that takes requests (`next_request`) another, and waits for what it answers.
  /// @param limit  of this request alone
  /// @returns the answer, or how the worker ended instead
  std::variant<std::string, WorkerResult> ask(std::string_view request,
                                              std::optional<std::chrono::milliseconds> limit,
                                              const std::stop_token& stop = {});

private:
  using Clock = std::chrono::steady_clock;
  bool read_some();
  std::optional<WorkerResult> wait_a_little(const std::stop_token& stop);
  std::optional<std::string> take_answer();
  int end();
  void close() const;
  WorkerResult ended_early(WorkerResult::Ending ending);
  WorkerResult completed();
  std::string printed() const;

  std::optional<Clock::time_point> deadline_;
  int pipe_ = -1;
  int requests_ = -1;
  int streams_ = -1;
  pid_t process_ = -1;
  std::string received_;
  /// A worker's result was in its own memory before.
  std::uint64_t max_result_ = std::uint64_t{1} << 30;
};

/// The result of a worker, which is restarted after each library that it needs. If it asks more
/// often than `max_requests`, the result says so. @param load  loads a library in this process, so
/// that all later workers have it
WorkerResult run_worker(const std::function<std::string()>& work, const Confinement& confinement,
                        const std::function<void(const std::string&)>& load,
                        const std::stop_token& stop = {});

} // namespace model_validator::process
