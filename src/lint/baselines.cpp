#include "lint/baselines.h"

#include "lint/finish_report.h"

#include <model_validator/error.h>

namespace model_validator {

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
}

void Baselines::apply(const Settings& settings, ModelReport& report) {
  const auto found = baselines_.find(settings.baseline);
  if (found == baselines_.end() || report.error) return;
  const std::string name = baseline_name(report.path, settings.baseline);
  if (writing_) found->second.record(name, report.findings);
  found->second.apply(name, report.findings);
  finish(report);
}

} // namespace model_validator
