#pragma once

#include "files/process/sandbox.h"

#include <model_validator/validator.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// Which rules one layer of settings asks for. A selector is a rule's name, its code, the start of
/// a code (`GRA`), or `all`.
struct Selection {
  std::optional<std::vector<std::string>> select; ///< replaces what earlier layers chose
  std::vector<std::string> extend_select;         ///< adds to it
  std::vector<std::string> ignore;                ///< removes from it, last
};

/// A finding that was reviewed and accepted, as `[[suppress]]` says it.
struct SuppressionEntry {
  std::string rule;    ///< a selector
  std::string module;  ///< pattern of module paths; empty: any
  std::string op;      ///< type of op; empty: any
  std::string model;   ///< pattern of model files; empty: any
  std::string reason;  ///< never empty
  std::string expires; ///< the last day it holds, ISO 8601; empty: no end
  SourceLocation where;
};

/// One layer of settings: a configuration file, a part of it, or the options of the command line.
/// The layers beneath it decide what it leaves open.
struct Config {
  std::string origin;               ///< where it came from: `command line`, or the file
  std::map<std::string, int> lines; ///< where in the file each key is
  std::optional<std::string> preset;
  Selection selection;
  std::map<std::string, Severity> severity;                   ///< by selector
  std::optional<std::vector<std::string>> targets;            ///< names of built-in profiles
  std::optional<std::vector<std::filesystem::path>> profiles; ///< files
  std::vector<std::string> plugins; ///< operators that a plugin of the user's provides
  std::optional<int> opset;
  std::optional<Severity> fail_on;                 ///< `off` stands for never
  std::optional<bool> fail_on_installed;           ///< findings in installed packages count as well
  std::optional<std::vector<std::string>> exclude; ///< patterns of files that are not linted
  std::optional<std::filesystem::path> baseline;
  std::optional<process::SandboxMode> sandbox;             ///< `off` only on the command line
  std::map<std::string, RuleOptions, std::less<>> options; ///< by rule name
  std::map<std::string, std::string> op_type_map;          ///< added to AIMET's
  std::vector<std::string> functional_ops;                 ///< added to AIMET's
  std::vector<std::shared_ptr<const SuppressionEntry>> suppressions;
  std::optional<std::string> fix_modules; ///< a package whose classes stand for operations
  std::map<std::string, std::filesystem::path> source_roots; ///< where source was, and where it is
};

/// Settings for some of the models that a file governs.
struct PerFileConfig {
  std::vector<std::string> files; ///< patterns
  Config config;
};

/// Who vouches for a configuration file.
enum class ConfigOrigin : std::uint8_t {
  named, ///< the user, who named it
  found  ///< nobody: it lay near a model, and may have come with it
};

/// A configuration file, with what it extends.
struct ConfigFile {
  std::filesystem::path path;
  std::vector<Config> layers; ///< what it extends first, itself last
  std::vector<PerFileConfig> per_file;
};

/// The layers that hold for one model, the general ones first.
std::vector<Config> layers_for(const ConfigFile& file, const std::filesystem::path& model);

/// True when the pattern matches the path below `folder`, or, when it has no slash, the file's
/// name. `*` also crosses folders.
bool pattern_fits(const std::string& pattern, const std::filesystem::path& file,
                  const std::filesystem::path& folder);

} // namespace model_validator
