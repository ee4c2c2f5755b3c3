#include "files/process/worker_child.h"

#include "files/process/environment.h"
#include "files/process/error_bytes.h"
#include "files/process/worker_protocol.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace model_validator::process {
namespace {

/// A new session has no terminal that could be typed into, and can be ended as a whole. If the
/// parent has ended in the meantime, the signal would never come.
void die_with(pid_t parent) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(static_cast<int>(WorkerStatus::failed));
}

/// Nothing else of the parent's is open in the worker: no report, no lock, no other worker's pipe.
void take_descriptors(const WorkerEnds& ends) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  const int requests = ::fcntl(ends.requests, F_DUPFD, request_descriptor + 1);
  const int result = ::fcntl(ends.result, F_DUPFD, request_descriptor + 1);
  const int streams = ::fcntl(ends.streams, F_DUPFD, request_descriptor + 1);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(streams, STDOUT_FILENO);
  ::dup2(streams, STDERR_FILENO);
  ::dup2(result, result_descriptor);
  ::dup3(requests, request_descriptor, O_CLOEXEC); // not for programs that it starts
  ::close_range(request_descriptor + 1, ~0U, 0);
}

/// Also where an allocator fails without an exception.
void end_when_out_of_memory() {
  std::set_new_handler([] { end_worker(WorkerStatus::out_of_memory); });
}

void default_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) ::signal(signal, SIG_DFL); // NOLINT
  ::signal(SIGPIPE, SIG_IGN);                                                            // NOLINT
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
}

void confine(const Confinement& confinement) {
  enter_limits(confinement.limits);
  if (confinement.sandbox == SandboxMode::off) return;
  keep_harmless_environment();
  const SandboxSupport in_force = enter_sandbox(confinement.permissions);
  if (confinement.sandbox == SandboxMode::require && !in_force.complete())
    throw Error(ErrorKind::no_sandbox, "",
                "the system did not confine the process that reads a model",
                "`--sandbox auto` confines it as far as the system allows");
}

[[noreturn]] void fail(const Error& error) {
  end_worker(WorkerStatus::failed, error_to_bytes(error));
}

} // namespace

int streams_of_worker() {
  const int file = ::memfd_create("model_validator", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0 || ::ftruncate(file, room_for_streams) != 0) return -1;
  ::fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
  return file;
}

void run_worker_child(const std::function<std::string()>& work, const Confinement& confinement,
                      const WorkerEnds& ends) {
  die_with(ends.parent);
  become_worker();
  take_descriptors(ends);
  default_signals();
  end_when_out_of_memory();
  try {
    confine(confinement);
    end_worker(WorkerStatus::done, work());
  } catch (const Error& error) {
    fail(error);
  } catch (const std::bad_alloc&) {
    end_worker(WorkerStatus::out_of_memory);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    fail(Error(ErrorKind::internal_error, "", text.substr(0, text.find('\n'))));
  } catch (...) {
    fail(Error(ErrorKind::internal_error, "", "an exception of unknown type"));
  }
}

} // namespace model_validator::process
