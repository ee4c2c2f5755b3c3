#include "lint/validation_log.h"

#include <algorithm>

namespace model_validator {
namespace {

void add_failures(const ModelReport& report, LogEntries& entries) {
  LogEntries failed;
  for (const CheckResult& check : report.checks)
    if (check.status != CheckStatus::passed)
      failed.push_back({LogLevel::info, "    " + log_name(check.name)});
  if (failed.empty()) {
    entries.push_back({LogLevel::info, "All validation checks passed."});
    return;
  }
  entries.push_back({LogLevel::info, "The following validator checks failed:"});
  entries.insert(entries.end(), failed.begin(), failed.end());
}

} // namespace

std::string log_name(std::string_view rule) {
  std::string name = "validate_for_" + std::string(rule);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

LogEntries validation_log(const ModelReport& report) {
  if (report.error) return {};
  LogEntries entries;
  for (const CheckResult& check : report.checks) {
    entries.push_back({LogLevel::info, "Running validator check " + log_name(check.name)});
    if (check.status == CheckStatus::failed)
      for (const std::string& summary : check.summaries)
        entries.push_back({LogLevel::warning, summary});
  }
  add_failures(report, entries);
  return entries;
}

} // namespace model_validator
