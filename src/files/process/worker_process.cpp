#include "files/process/worker_process.h"

#include "files/process/error_bytes.h"
#include "files/process/worker_child.h"
#include "files/process/worker_protocol.h"
#include "text/process_words.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <memory>
#include <poll.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace model_validator::process {
namespace {

using Ending = WorkerResult::Ending;
using std::chrono::milliseconds;

/// A larger one would hardly fit into the memory of its reader.
constexpr std::uint64_t max_result_size = std::uint64_t{512} << 20;

Error no_process() {
  return {ErrorKind::internal_error, "", "no process can be started",
          "work on fewer files at once with `-j 1`, or raise `ulimit -u` and `ulimit -n`"};
}

void require_sandbox(SandboxMode mode) {
  if (mode != SandboxMode::require) return;
  const SandboxSupport support = sandbox_support();
  if (!support.complete())
    throw Error(ErrorKind::no_sandbox, "",
                std::string("this system offers no ") + (support.files ? "seccomp" : "Landlock") +
                    ", so the process that reads a model cannot be confined",
                "`--sandbox auto` confines it as far as the system allows");
}

std::string name_of_call(std::string_view bytes) {
  int number = 0;
  if (bytes.size() < sizeof number) return "a forbidden call";
  std::memcpy(&number, bytes.data() + bytes.size() - sizeof number, sizeof number);
  const std::unique_ptr<char, decltype(&std::free)> name(
      ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), &std::free);
  return name ? '`' + std::string(name.get()) + '`' : "system call " + std::to_string(number);
}

WorkerResult after_signal(int status) {
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU) return {Ending::out_of_processor_time, {}, {}, {}};
  // Where the signal is blocked, as while a program is started, no handler announces the call.
  if (signal == SIGSYS) return {Ending::refused, "a forbidden call", {}, {}};
  return {Ending::crashed, ending_in_words(status), {}, {}};
}

/// The child would write what is still buffered as well.
void flush_standard_output() {
  std::fflush(stdout);
  std::cout.flush();
}

/// The bytes may be anything: the worker is not to be trusted any more.
WorkerResult failed(std::string_view bytes) {
  try {
    return {Ending::failed, {}, error_from(bytes), {}};
  } catch (const std::exception&) {
    return {Ending::crashed, "ended without a result", {}, {}};
  }
}

WorkerResult result_of(int status, std::string bytes) {
  if (WIFSIGNALED(status)) return after_signal(status);
  switch (static_cast<WorkerStatus>(WEXITSTATUS(status))) {
  case WorkerStatus::done: return {Ending::done, std::move(bytes), {}, {}};
  case WorkerStatus::failed: return failed(bytes);
  case WorkerStatus::needs_library: return {Ending::needs_library, std::move(bytes), {}, {}};
  case WorkerStatus::refused: return {Ending::refused, name_of_call(bytes), {}, {}};
  case WorkerStatus::no_memory_for_threads:
  case WorkerStatus::out_of_memory: return {Ending::out_of_memory, {}, {}, {}};
  }
  return {Ending::crashed, ending_in_words(status), {}, {}};
}

} // namespace

WorkerProcess::WorkerProcess(const std::function<std::string()>& work,
                             const Confinement& confinement) {
  require_sandbox(confinement.sandbox);
  max_result_ = std::min(max_result_size, confinement.limits.memory.value_or(max_result_));
  if (confinement.limits.time) deadline_ = Clock::now() + *confinement.limits.time;
  std::array<int, 2> ends{}, requests{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw no_process();
  pipe_ = ends[0];
  // A socket, since writing to one whose other end is gone need not raise a signal.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, requests.data()) == 0)
    requests_ = requests[0];
  streams_ = streams_of_worker();
  flush_standard_output();
  const pid_t parent = ::getpid();
  process_ = streams_ < 0 || requests_ < 0 ? -1 : ::fork();
  if (process_ == 0) run_worker_child(work, confinement, {parent, requests[1], ends[1], streams_});
  ::close(ends[1]);
  if (requests_ >= 0) ::close(requests[1]);
  if (process_ > 0) {
    ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
    return;
  }
  close();
  throw no_process();
}

WorkerProcess::~WorkerProcess() {
  if (process_ > 0) end();
  close();
}

void WorkerProcess::close() const {
  for (const int descriptor : {pipe_, requests_, streams_})
    if (descriptor >= 0) ::close(descriptor);
}

std::optional<milliseconds> WorkerProcess::time_left() const {
  if (!deadline_) return std::nullopt;
  return std::max(std::chrono::ceil<milliseconds>(*deadline_ - Clock::now()), milliseconds(0));
}

/// Ends the process and all that it started. @returns its status, as `waitpid` gives it
int WorkerProcess::end() {
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL); // before it has a group of its own
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

/// @returns false at the end of the pipe
bool WorkerProcess::read_some() {
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(pipe_, buffer.data(), buffer.size());
    if (count == 0) return false;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
    if (received_.size() > max_result_) return true;
  }
}

std::optional<WorkerResult> WorkerProcess::poll() {
  if (!read_some()) return completed();
  if (received_.size() > max_result_) return ended_early(Ending::out_of_memory);
  if (deadline_ && Clock::now() >= *deadline_) return ended_early(Ending::timed_out);
  return std::nullopt;
}

/// Or until something comes.
std::optional<WorkerResult> WorkerProcess::wait_a_little(const std::stop_token& stop) {
  if (stop.stop_requested()) return ended_early(Ending::stopped);
  const milliseconds longest = std::min(patience, time_left().value_or(patience));
  pollfd end{pipe_, POLLIN, 0};
  ::poll(&end, 1, static_cast<int>(longest.count()));
  return poll();
}

WorkerResult WorkerProcess::wait(const std::stop_token& stop) {
  for (;;)
    if (auto result = wait_a_little(stop)) return std::move(*result);
}

/// What has come of it, if that is all.
std::optional<std::string> WorkerProcess::take_answer() {
  std::uint64_t size = 0;
  if (received_.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, received_.data(), sizeof size);
  if (received_.size() - sizeof size < size) return std::nullopt;
  std::string answer = received_.substr(sizeof size, size);
  received_.clear();
  return answer;
}

std::variant<std::string, WorkerResult> WorkerProcess::ask(std::string_view request,
                                                           std::optional<milliseconds> limit,
                                                           const std::stop_token& stop) {
  deadline_.reset();
  if (limit) deadline_ = Clock::now() + *limit;
  // One that has ended takes nothing, which the end of its pipe says.
  const std::string framed = with_size(request);
  ::send(requests_, framed.data(), framed.size(), MSG_NOSIGNAL);
  for (;;) {
    if (auto result = wait_a_little(stop)) return std::move(*result);
    if (auto answer = take_answer()) return std::move(*answer);
  }
}

WorkerResult WorkerProcess::ended_early(Ending ending) {
  end();
  return {ending, {}, {}, printed()};
}

WorkerResult WorkerProcess::completed() {
  // The pipe ends after the process has its exit status, which this no longer changes.
  const int status = end();
  WorkerResult result = result_of(status, std::move(received_));
  result.printed = printed();
  return result;
}

std::string WorkerProcess::printed() const {
  // The worker shares the position, and may have set it to anything.
  const off_t size = std::clamp<off_t>(::lseek(streams_, 0, SEEK_CUR), 0, room_for_streams);
  std::string text(static_cast<std::size_t>(size), '\0');
  const ssize_t got = ::pread(streams_, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

WorkerResult run_worker(const std::function<std::string()>& work, const Confinement& confinement,
                        const std::function<void(const std::string&)>& load,
                        const std::stop_token& stop) {
  for (std::size_t requests = 0;; ++requests) {
    WorkerResult result = WorkerProcess(work, confinement).wait(stop);
    if (result.ending != Ending::needs_library || requests == max_requests) return result;
    load(result.bytes);
  }
}

} // namespace model_validator::process
