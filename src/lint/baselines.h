#pragma once

#include "lint/settings.h"
#include "rules/baseline.h"

#include <model_validator/lint.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator {

/// The baselines of a run, one for each file that the settings of its models name.
class Baselines {
public:
  /// @param writing  record the findings instead of comparing them with the baseline
  explicit Baselines(bool writing) : writing_(writing) {}

  /// @throws Error for a baseline that cannot be read, or if one is to be written and none is named
  void expect(const Settings& settings);
  void apply(const Settings& settings, ModelReport& report);

  /// How many recorded findings no model has any more, so far: those of the models of the run, and
  /// those of files that are gone.
  std::size_t gone() const;

  /// When writing: what this run found, without what the files hold of other models.
  const std::map<std::filesystem::path, Baseline>& all() const noexcept { return baselines_; }

private:
  std::string entry_for(const std::filesystem::path& file, const ModelReport& report);

  bool writing_;
  std::map<std::filesystem::path, Baseline> baselines_;
  std::map<std::filesystem::path, std::vector<std::string>> missing_; ///< models that are no files
  std::map<std::filesystem::path, std::set<std::string>> used_; ///< the models that were found
  std::size_t gone_ = 0;
};

} // namespace model_validator
