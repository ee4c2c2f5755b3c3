#pragma once

#include <string>
#include <vector>

namespace model_validator::cli {

/// Runs the program. @param arguments  without the program's name @returns the exit status
int run(const std::vector<std::string>& arguments);

/// Whether the program understands the words, as far as it can tell without looking at files.
bool understands(const std::vector<std::string>& arguments);

/// `model.pt` means `check model.pt`. @returns the arguments with the subcommand they mean
std::vector<std::string> with_subcommand(std::vector<std::string> arguments);

} // namespace model_validator::cli
