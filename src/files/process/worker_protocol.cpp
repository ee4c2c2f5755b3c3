#include "files/process/worker_protocol.h"

#include "files/write_all.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <unistd.h>

namespace model_validator::process {
namespace {

/// Set once, while the process has one thread: a worker stays a worker.
std::atomic<bool> worker = false;

void end_refused(int, siginfo_t* info, void*) {
  const int call = info->si_syscall;
  end_worker(WorkerStatus::refused,
             {reinterpret_cast<const char*>(&call), sizeof call}); // NOLINT: its bytes
}

void report_refused_calls() {
  struct sigaction action {};
  action.sa_sigaction = end_refused;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGSYS, &action, nullptr);
}

} // namespace

void become_worker() {
  worker = true;
  report_refused_calls();
}

bool is_worker() { return worker; }

void end_worker(WorkerStatus status, std::string_view bytes) {
  write_all(result_descriptor, bytes);
  ::_exit(static_cast<int>(status));
}

std::string with_size(std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  std::string framed(sizeof size, '\0');
  std::memcpy(framed.data(), &size, sizeof size);
  return framed.append(bytes);
}

std::optional<std::string> next_request() {
  const auto read_all = [](char* to, std::size_t count) {
    while (count > 0) {
      const ssize_t got = ::read(request_descriptor, to, count);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      to += got;
      count -= static_cast<std::size_t>(got);
    }
    return true;
  };
  std::uint64_t size = 0;
  if (!read_all(reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt; // NOLINT
  std::string request(size, '\0');
  if (!read_all(request.data(), size)) return std::nullopt;
  return request;
}

void answer_request(std::string_view answer) { write_all(result_descriptor, with_size(answer)); }

void request_library(const std::string& name) {
  if (is_worker()) end_worker(WorkerStatus::needs_library, name);
}

} // namespace model_validator::process
