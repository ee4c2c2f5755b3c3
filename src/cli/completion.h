#pragma once

#include "cli/command_data.h"

#include <string>

namespace model_validator::cli {

/// A script that teaches bash the program's commands and options.
std::string bash_completion(const std::vector<CommandData>& commands);

/// The same for zsh.
std::string zsh_completion(const std::vector<CommandData>& commands);

} // namespace model_validator::cli
