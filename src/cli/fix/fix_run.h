#pragma once

#include "cli/check/check_options.h"
#include "cli/fix/known_commands.h"

#include <string>
#include <vector>

namespace model_validator::cli {

/// The options of `fix` as given.
struct FixOptions {
  CheckOptions check; ///< what is linted, and by which rules
  bool write = false;
  bool write_mentioned = false; ///< edits of what other code names are tried as well
  bool unproven = false;        ///< nothing is exported
  std::string modules;          ///< a package; empty: as the configuration says
  KnownCommands commands;       ///< empty: those that are known
  InputChoice inputs;
  std::string format = "diff";
};

/// Fixes the source of the findings. @returns the exit status @throws Error, BrokenPipe
int run_fix(const FixOptions& options);

} // namespace model_validator::cli
