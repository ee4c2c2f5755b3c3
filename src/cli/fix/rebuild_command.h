#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace model_validator::cli {

/// The user's own commands: an export, with `{output}` where the path of the model goes, and
/// perhaps one that proves more, as tests do.
struct RebuildCommand {
  std::string line;
  std::string tests = {}; ///< empty: none
  std::optional<std::chrono::milliseconds> limit = {};

  /// @throws Error (`bad-command`) where it does not say `{output}`
  void check() const;
  /// The command that writes the model to a path.
  std::string line_for(const std::filesystem::path& output) const;
  /// Runs it in a process that ends with this program, and at the limit.
  /// @param witness  the folder of what notes facts of the export, next to the output
  /// @returns why it left no model; empty where it did @throws Error (`interrupted`)
  std::string run(const std::filesystem::path& output, const std::filesystem::path& witness,
                  const std::stop_token& stop) const;
  /// Runs the tests, if there are any.
  /// @param log  where their output goes
  /// @returns why they do not hold; empty where they do @throws Error (`interrupted`)
  std::string run_tests(const std::filesystem::path& log, const std::filesystem::path& witness,
                        const std::stop_token& stop) const;
};

} // namespace model_validator::cli
