#pragma once

#include "cli/check/check_options.h"
#include "cli/check/fix_sources.h"

#include <string>
#include <vector>

namespace model_validator::cli {

/// The options of `fix` as given.
struct FixOptions {
  CheckOptions check; ///< what is linted, and by which rules
  bool write = false;
  SourceChoice source;
  std::string rebuild;    ///< a command line with `{output}`; empty: nothing is exported
  std::string prove_with; ///< a command line that has to succeed after each export, if any
  InputChoice inputs;
  std::string format = "diff";
};

/// Fixes the source of the findings. @returns the exit status @throws Error, BrokenPipe
int run_fix(const FixOptions& options);

} // namespace model_validator::cli
