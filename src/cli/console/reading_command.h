#pragma once

#include "cli/console/output.h"
#include "requests/reading.h"

#include <functional>
#include <string>

namespace model_validator::cli {

/// What a command prints, and its exit status.
struct CommandOutput {
  std::string text;
  int status = 0;
};

/// Does the work in a confined process, and prints its warnings.
/// @throws Error: that of the work, or how the process ended
CommandOutput read_and_warn(const Reading& reading, const std::function<void(Findings&)>& work);

/// The same, and prints the text. @returns the exit status
int read_and_print(const Reading& reading, const std::function<void(Findings&)>& work,
                   const std::filesystem::path& file, Passes passes = Passes::text);

} // namespace model_validator::cli
