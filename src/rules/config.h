#pragma once

#include <model_validator/validator.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// Which rules one layer of settings asks for. A selector is a rule's name, its code, the start of
/// a code (`GRA`), or `all`.
struct Selection {
  std::optional<std::vector<std::string>> select; ///< replaces what earlier layers chose
  std::vector<std::string> extend_select;         ///< adds to it
  std::vector<std::string> ignore;                ///< takes away, last
};

/// One layer of settings: a configuration file, or the options of the command line. What a layer
/// leaves open is decided by the layers beneath it.
struct Config {
  std::string origin; ///< where it came from: `command line`, or the file
  Selection selection;
  std::map<std::string, Severity> severity;                   ///< by selector
  std::optional<std::vector<std::string>> targets;            ///< names of built-in profiles
  std::optional<std::vector<std::filesystem::path>> profiles; ///< files
  std::optional<int> opset;
  std::optional<Severity> fail_on;                         ///< `off` stands for never
  std::map<std::string, RuleOptions, std::less<>> options; ///< by rule name
  std::map<std::string, std::string> op_type_map;          ///< added to AIMET's
  std::vector<std::string> functional_ops;                 ///< added to AIMET's
};

} // namespace model_validator
