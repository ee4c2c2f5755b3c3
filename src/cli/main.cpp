#include "cli/command_line.h"
#include "requests/service.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <string_view>
#include <unistd.h>

namespace {

/// Otherwise the next file that is opened would become a standard stream that is closed.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDWR);
}

/// Threads that LibTorch computes with wait for each other awake, by default so long that beside
/// other programs they take the processors from those they wait for: beside two, a verification of
/// ResNet-18 took nine times as long as alone. With this it takes about twice as long, and
/// alone as long as before. (GCC's libgomp manual, "GOMP_SPINCOUNT".)
void let_waiting_threads_sleep() {
  constexpr int keep_what_is_set = 0;
  if (std::getenv("OMP_WAIT_POLICY") == nullptr)
    ::setenv("GOMP_SPINCOUNT", "10000", keep_what_is_set); // NOLINT: one thread
}

/// Skips LibTorch's teardown of its tables: a third of the time that it took to fill them, for
/// memory that ends with the process.
[[noreturn]] void end(int status) {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  std::_Exit(status);
}

} // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  let_waiting_threads_sleep();
  std::ios::sync_with_stdio(false);
  // A reader that goes away is noticed when writing fails.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow.
  std::signal(SIGXFSZ, SIG_IGN);
  if (argc == 2 && std::string_view(argv[1]) == model_validator::service_argument)
    end(model_validator::answer_calls());
  end(model_validator::cli::run({argv + 1, argv + argc}));
}
