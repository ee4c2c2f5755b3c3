#include "lint/baselines.h"

#include "lint/finish_report.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

/// The models that a baseline names and that are no longer files.
std::vector<std::string> missing_models(const Baseline& baseline, const fs::path& file) {
  std::error_code failed;
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  std::vector<std::string> missing;
  for (std::string& model : baseline.models())
    if (model != "-" && !fs::exists(folder / model, failed)) missing.push_back(std::move(model));
  return missing;
}

bool runs(const std::string& rule, const Settings& settings) {
  return std::ranges::any_of(settings.enabled,
                             [&](const Validator* check) { return check->info().name == rule; });
}

} // namespace

void Baselines::expect(const Settings& settings) {
  const auto& file = settings.baseline;
  if (file.empty()) {
    if (!writing_) return;
    throw Error(ErrorKind::usage, "", "`--write-baseline` needs a file to write to",
                "name the file with `--baseline FILE`, or `baseline` in the configuration");
  }
  if (baselines_.count(file) > 0) return;
  // What is written is merged with the file when the run is over; whether it can be is checked now.
  const bool begins = writing_ && !std::filesystem::exists(file);
  const Baseline there = begins ? Baseline() : Baseline::load(file);
  baselines_[file] = writing_ ? Baseline() : there;
  if (!writing_) missing_[file] = missing_models(there, file);
}

/// The name that the baseline has for a model: its own, or, for a file that was renamed, that of
/// the missing file whose findings are most like its own.
std::string Baselines::entry_for(const fs::path& file, const ModelReport& report) {
  const Baseline& baseline = baselines_.at(file);
  std::string name = baseline_name(report.path, file);
  if (writing_ || baseline.holds(name)) return name;
  double most = 0.5;
  std::string best = name;
  for (const std::string& other : missing_.at(file)) {
    if (used_[file].count(other) > 0) continue;
    const double likeness = baseline.likeness(other, report.findings);
    if (likeness > most) best = other;
    most = std::max(most, likeness);
  }
  return best;
}

void Baselines::apply(const Settings& settings, ModelReport& report) {
  const auto found = baselines_.find(settings.baseline);
  if (found == baselines_.end() || report.error) return;
  const std::string name = entry_for(settings.baseline, report);
  used_[settings.baseline].insert(name);
  if (writing_) found->second.record(name, report.findings);
  for (const Baseline::Entry& entry : found->second.apply(name, report.findings))
    if (runs(entry.rule, settings)) gone_ += entry.count;
  finish(report);
}

std::size_t Baselines::gone() const {
  if (writing_) return 0;
  std::size_t all = gone_;
  for (const auto& [file, baseline] : baselines_) {
    const auto used = used_.find(file);
    for (const std::string& model : missing_.at(file))
      if (used == used_.end() || used->second.count(model) == 0) all += baseline.size_of(model);
  }
  return all;
}

} // namespace model_validator
