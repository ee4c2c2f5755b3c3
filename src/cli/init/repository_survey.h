#pragma once

#include <model_validator/graph_reader.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace model_validator::cli {

/// Something that a file of a repository says.
struct Evidence {
  std::string what; ///< a package, a call, a target
  std::string file; ///< from the folder that was looked at
  int line = 0;
};

/// Files of one ending and one format.
struct FoundModels {
  std::size_t count = 0;
  std::string example;
};

/// What a repository shows of how its models are used. Nothing of it is trusted: files are read
/// within bounds, models in a process that can only compute, and nothing is run.
struct Survey {
  /// By ending; `unknown` stands for what holds no model.
  std::map<std::string, std::map<FileFormat, FoundModels>> models;
  std::vector<Evidence> requirements; ///< packages that run, convert or quantise models
  std::vector<Evidence> calls;        ///< of quantisers, in Python
  std::vector<Evidence> compiled;     ///< files of a target's own kind, with its name
  std::vector<Evidence> targets;      ///< that the repository's own calls of this program name
  std::vector<Evidence> presets;
  std::vector<Evidence> gates;       ///< hooks, workflows and the like that call it
  std::vector<std::string> left_out; ///< what could not be looked at, as sentences
};

/// Looks at a folder and what lies beneath it. The same files give the same result.
Survey survey(const std::filesystem::path& folder);

/// The target that a package of the requirements speaks for; empty for others.
std::string target_of_package(const std::string& package);
/// The target whose own kind of file this is, by its name; empty for others.
std::string target_of_file(const std::filesystem::path& file);
bool quantises(const std::string& package);
/// Whether it writes, or reads, ONNX files.
bool is_for_onnx(const std::string& package);

} // namespace model_validator::cli
