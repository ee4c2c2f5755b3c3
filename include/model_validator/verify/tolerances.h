#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// What an output is called: its path in the reference's result, and, for whoever names it, its
/// position and its name in the candidate's file.
struct OutputNames {
  std::string name;
  std::vector<std::string> aliases;
};

/// One tolerance for all outputs, and others for some of them by name: `1e-5,logits=1e-3`.
struct OutputTolerances {
  std::optional<double> all;
  std::map<std::string, double> by_output;

  /// The tolerance of an output: its own, else that for all, else none.
  std::optional<double> find(const std::string& output) const;

  /// The same, each under the name of its output.
  /// @throws Error (`bad-tolerance`) that lists the outputs where one is called by none of the
  /// names, or is named twice
  OutputTolerances of(const std::vector<OutputNames>& outputs) const;
};

/// Reads `1e-5,logits=1e-3`. Values are not negative.
/// @param option  the option's name for the message, `--atol`
/// @throws Error (`bad-tolerance`)
OutputTolerances parse_tolerances(std::string_view text, const std::string& option);

} // namespace model_validator::verify
