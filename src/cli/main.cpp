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
  std::ios::sync_with_stdio(false);
  // A reader that goes away is noticed when writing fails.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a file that may not grow.
  std::signal(SIGXFSZ, SIG_IGN);
  if (argc == 2 && std::string_view(argv[1]) == model_validator::service_argument)
    end(model_validator::answer_calls());
  end(model_validator::cli::run({argv + 1, argv + argc}));
}
