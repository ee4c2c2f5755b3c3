#include "lint/validation_log.h"

#include <algorithm>

namespace model_validator {
namespace {

/// What it found is all in code of installed packages.
bool only_excused(const CheckResult& check, const ModelReport& report) {
  return check.status == CheckStatus::passed &&
         std::ranges::any_of(report.findings, [&](const Diagnostic& finding) {
           return finding.rule == check.name && finding.excused && !finding.suppressed;
         });
}

void add_failures(const ModelReport& report, LogEntries& entries) {
  LogEntries failed;
  bool all = true;
  for (const CheckResult& check : report.checks) {
    const bool judged = check.status != CheckStatus::not_judged;
    all = all && judged && !only_excused(check, report);
    if (judged && check.status != CheckStatus::passed)
      failed.push_back({LogLevel::info, "    " + log_name(check.name)});
  }
  if (failed.empty()) {
    entries.push_back(
        {LogLevel::info, all ? "All validation checks passed." : "No validation check failed."});
    return;
  }
  entries.push_back({LogLevel::info, "The following validator checks failed:"});
  entries.insert(entries.end(), failed.begin(), failed.end());
}

} // namespace

std::string log_name(std::string_view rule) {
  std::string name = "validate_for_" + std::string(rule);
  std::ranges::replace(name, '-', '_');
  return name;
}

LogEntries validation_log(const ModelReport& report) {
  if (report.error) return {};
  LogEntries entries;
  for (const CheckResult& check : report.checks) {
    entries.push_back({LogLevel::info, "Running validator check " + log_name(check.name)});
    if (check.status == CheckStatus::not_judged)
      entries.push_back({LogLevel::info, "It was not judged: " + check.lacking});
    if (check.status == CheckStatus::failed || only_excused(check, report))
      for (const std::string& summary : check.summaries)
        entries.push_back({LogLevel::warning, summary});
  }
  add_failures(report, entries);
  return entries;
}

} // namespace model_validator
