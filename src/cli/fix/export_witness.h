#pragma once

#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::cli {

/// What an export in Python shows of the network that it exports, beyond the file that it writes.
struct ExportFacts {
  std::string text; ///< JSON; empty where nothing was noted
};

/// Writes the Python module that notes facts into a folder. Without it, none are noted.
/// @param inputs  of a network whose export is not given any
void write_witness(const std::filesystem::path& folder, const verify::InputOptions& inputs);

/// Has processes that the caller starts note the facts of an export there.
/// @param folder  that `write_witness` was given
void call_witness(const std::filesystem::path& folder, const std::filesystem::path& output);

/// Those of an export that has ended; none where the file does not hold what the module writes.
ExportFacts facts_of(const std::filesystem::path& output);

/// Why an edited network is not what it was: by its children and their order, by whether a
/// checkpoint of before loads strictly, by a step of training, by copies, dtypes and other
/// configurations of it, and by whether it can be scripted. Empty where it is, as far as the facts
/// show.
std::string difference(const ExportFacts& before, const ExportFacts& after);

/// A line of a report for each of these that could be compared: a name, and what holds.
struct Compared {
  std::vector<std::pair<std::string, std::string>> same;
  std::vector<std::string> not_compared; ///< what could not be
};
Compared compared(const ExportFacts& facts);

} // namespace model_validator::cli
