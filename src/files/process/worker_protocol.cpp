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

void request_library(const std::string& name) {
  if (is_worker()) end_worker(WorkerStatus::needs_library, name);
}

} // namespace model_validator::process
