#pragma once

#include <filesystem>
#include <string>

namespace model_validator::cli {

/// The commands that a user has proved a model's edits with.
struct KnownCommands {
  std::string rebuild;
  std::string tests; ///< empty: none
};

/// Those of a model in this working folder. They are kept in a file of the user's own, and never in
/// the project: what others write there is trusted with nothing.
KnownCommands known_commands(const std::filesystem::path& model);

/// Keeps them, where there is a place for it.
void remember(const std::filesystem::path& model, const KnownCommands& commands);

} // namespace model_validator::cli
