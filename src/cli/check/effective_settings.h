#pragma once

#include "rules/config.h"

#include <model_validator/registry.h>

#include <string>
#include <vector>

namespace model_validator::cli {

/// The final value of one setting.
struct EffectiveSetting {
  std::string name;
  std::string value;
  std::string origin; ///< `default`, `command line`, or file and line
};

/// Every setting that layers decide, each with the layer that has the last word.
std::vector<EffectiveSetting> effective_settings(const Registry& registry,
                                                 const std::vector<Config>& layers);

} // namespace model_validator::cli
