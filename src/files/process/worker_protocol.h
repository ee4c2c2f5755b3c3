#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What a worker and the process that made it agree on.
namespace model_validator::process {

/// Where a worker writes what it found, and reads what it is asked. It has no other descriptors but
/// the standard streams.
inline constexpr int result_descriptor = 3, request_descriptor = 4;

/// The exit status of a worker that no signal ended.
enum class WorkerStatus : std::uint8_t {
  done = 0,      ///< its result is in the pipe
  failed = 100,  ///< an Error is in the pipe
  needs_library, ///< the name of a library is in the pipe
  refused,       ///< the number of a system call is in the pipe
  out_of_memory,
  no_memory_for_threads = 127, ///< how the C library ends where it has none for their variables
};

/// In the child, right after the fork: from now on this process is a worker.
void become_worker();

/// Whether this process is one.
bool is_worker();

/// What this worker is asked to do next; none where nobody asks any more.
std::optional<std::string> next_request();
/// What `WorkerProcess::ask` gives for it.
void answer_request(std::string_view answer);
/// As both are sent.
std::string with_size(std::string_view bytes);

/// Ends this worker. Does nothing that a signal handler may not do.
[[noreturn]] void end_worker(WorkerStatus status, std::string_view bytes = {});

/// Called before a library is loaded that is not there yet. A worker may not open libraries, and
/// what it loads is lost with it: it ends, asks the process that made it to load the library, and
/// is restarted. In any other process this does nothing.
void request_library(const std::string& name);

} // namespace model_validator::process
