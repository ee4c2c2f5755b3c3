#pragma once

#include "lint/settings.h"
#include "rules/baseline.h"

#include <model_validator/lint.h>

#include <filesystem>
#include <map>

namespace model_validator {

/// The baselines of a run, one for each file that the settings of its models name.
class Baselines {
public:
  /// @param writing  record the findings instead of comparing them with the baseline
  explicit Baselines(bool writing) : writing_(writing) {}

  /// @throws Error for a baseline that cannot be read, or if one is to be written and none is named
  void expect(const Settings& settings);
  void apply(const Settings& settings, ModelReport& report);

  /// When writing: what this run found, without what the files hold of other models.
  const std::map<std::filesystem::path, Baseline>& all() const noexcept { return baselines_; }

private:
  bool writing_;
  std::map<std::filesystem::path, Baseline> baselines_;
};

} // namespace model_validator
