#pragma once

#include "cli/check_options.h"

#include <string>
#include <vector>

namespace model_validator::cli {

/// The options of `fix` as given.
struct FixOptions {
  CheckOptions check; ///< what is linted, and by which rules
  bool write = false;
  std::vector<std::string> roots;
  std::string modules;
  std::string format = "diff";
};

/// Fixes the source of what is found. @returns the exit status @throws Error, BrokenPipe
int run_fix(const FixOptions& options);

} // namespace model_validator::cli
