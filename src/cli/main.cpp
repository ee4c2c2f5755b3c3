#include "cli/command_line.h"

#include <csignal>
#include <iostream>

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // A reader that goes away is noticed when writing fails.
  std::signal(SIGPIPE, SIG_IGN);
  return model_validator::cli::run({argv + 1, argv + argc});
}
