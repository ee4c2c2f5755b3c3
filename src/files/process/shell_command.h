#pragma once

#include <filesystem>
#include <string>

namespace model_validator::process {

/// A path as one word of a command line.
std::string quoted(const std::filesystem::path& path);

/// Gives the user's command line to the shell, as typed. It ends with the calling thread.
/// @param log  takes its output; empty: it goes where the caller's own does
/// @returns its status, as `waitpid` gives it
/// @throws Error (`internal-error`) where no process can be started
int run_in_shell(const std::string& line, const std::filesystem::path& log = {});

/// How a command line ended: `ended with status 2`, `names a program that was not found, …`.
std::string shell_ending_in_words(int status);

} // namespace model_validator::process
