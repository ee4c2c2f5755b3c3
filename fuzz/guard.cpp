#include "guard.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

namespace fuzz {
namespace {

long from_environment(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atol(text) : otherwise;
}

extern "C" void out_of_time(int) {
  constexpr char words[] = "fuzz: more processor time than an input may take\n";
  (void)!::write(STDERR_FILENO, words, sizeof words - 1);
  std::abort();
}

void set_timer(long seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

/// The process's peak memory from now on, in kB.
class PeakMemory {
public:
  PeakMemory() : reset_(::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)) {}
  void reset() const { (void)!::write(reset_, "5", 1); }
  static long kilobytes() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  }

private:
  int reset_;
};

/// Redirects standard output to memory, where it can be checked.
class SilentOutput {
public:
  SilentOutput() {
    const int memory = ::memfd_create("stdout", MFD_CLOEXEC);
    ::dup2(memory, STDOUT_FILENO);
    ::close(memory);
  }
  static bool silent() {
    std::fflush(stdout);
    struct stat status {};
    return ::fstat(STDOUT_FILENO, &status) == 0 && status.st_size == 0;
  }
};

int next_descriptor() {
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  return next;
}

} // namespace

void found(const char* what) {
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

const char* canary() {
  static const std::string path = [] {
    const char* folder = std::getenv("FUZZ_SCRATCH");
    return std::string(folder != nullptr ? folder : "/tmp") + "/model_validator_canary";
  }();
  return path.c_str();
}

void within_limits(const std::function<void()>& work) {
  static const long seconds = from_environment("FUZZ_SECONDS", 5);
  static const long megabytes = from_environment("FUZZ_MEGABYTES", 512);
  static const PeakMemory memory;
  static const SilentOutput output;
  std::signal(SIGPROF, out_of_time);
  memory.reset();
  const long before = PeakMemory::kilobytes();
  const int descriptor = next_descriptor();
  set_timer(seconds);
  work();
  set_timer(0);
  if (PeakMemory::kilobytes() - before > megabytes * 1024)
    found("more memory than an input may take");
  if (!output.silent()) found("something was written to standard output");
  if (::unlink(canary()) == 0) found("the canary was written: code of the file was run");
  if (next_descriptor() != descriptor) found("a file was left open");
}

} // namespace fuzz
