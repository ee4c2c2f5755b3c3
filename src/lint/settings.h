#pragma once

#include "rules/config.h"

#include <model_validator/registry.h>
#include <model_validator/target_profile.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace model_validator {

/// What applies to one model: all layers brought together, names resolved.
struct Settings {
  std::vector<const Validator*> enabled;
  std::map<std::string, Severity, std::less<>> severity; ///< by rule name, where it is overridden
  std::vector<std::shared_ptr<const TargetProfile>> targets;
  std::shared_ptr<const ModuleTables> tables;
  std::map<std::string, RuleOptions, std::less<>> options;
  Severity fail_on = Severity::warning;

  Context context() const;
};

/// Brings layers together, the last with the last word.
/// @throws Error for an unknown rule or target, or a profile that cannot be read
Settings settle_settings(const Registry& registry, const std::vector<Config>& layers);

} // namespace model_validator
