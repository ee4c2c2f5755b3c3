#pragma once

#include "files/moved_sources.h"
#include "lint/file_patterns.h"
#include "rules/config.h"

#include <model_validator/registry.h>
#include <model_validator/target_profile.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace model_validator {

/// The settings of one model: all layers merged, names resolved.
struct Settings {
  const Registry* registry = nullptr; ///< of all rules, on or off
  std::string preset;
  bool preset_by_targets = false; ///< nobody named it
  bool by_default = false;        ///< nobody chose what is checked: no preset, target or rule
  std::vector<const Validator*> enabled;
  std::set<std::string, std::less<>> left_to_preset; ///< names of rules that it alone decides on
  std::vector<const Validator*> asked_for_verdicts;  ///< decide them, and are not enabled
  std::set<std::string, std::less<>> tool_rules;     ///< names of the tool's own that are on
  std::map<std::string, Severity, std::less<>> severity; ///< by rule name, where it is overridden
  std::vector<std::shared_ptr<const TargetProfile>> targets;
  std::shared_ptr<const ModuleTables> tables;
  std::map<std::string, RuleOptions, std::less<>> options;
  Severity fail_on = Severity::warning;
  bool fail_on_installed = false; ///< findings about code of installed packages count
  std::filesystem::path baseline; ///< empty: none
  process::SandboxMode sandbox = process::SandboxMode::automatic;
  std::vector<std::shared_ptr<const SuppressionEntry>> suppressions;
  std::string fix_modules; ///< a package whose classes stand for operations; empty: our own
  std::map<std::string, std::filesystem::path> source_roots; ///< where source was, and where it is
  std::filesystem::path config_file;                         ///< that they came from; empty: none
  std::vector<std::string> passed_over; ///< files that were not taken for it, with the reasons
  std::vector<FilePattern> patterns;    ///< of files, of the configuration and the command line

  Context context() const;
  std::vector<SourceRoot> roots() const; ///< where source was, and where it is
  /// The severity of a rule, `fallback` where nothing says otherwise.
  Severity severity_of(std::string_view rule, Severity fallback) const;
};

/// Merges layers; later ones win.
/// @throws Error for an unknown rule or target, or a profile that cannot be read
Settings resolve_settings(const Registry& registry, const std::vector<Config>& layers);

/// The last layer that sets an optional setting; null where none does.
template <class T>
const Config* last_to_answer(const std::vector<Config>& layers,
                             std::optional<T> Config::*question) {
  const Config* answer = nullptr;
  for (const Config& layer : layers)
    if (layer.*question) answer = &layer;
  return answer;
}

} // namespace model_validator
