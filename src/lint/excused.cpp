#include "lint/excused.h"

#include "connected_graph/code_owners.h"

#include <algorithm>
#include <set>
#include <string>

namespace model_validator {
namespace {

std::set<std::string, std::less<>> rules_about_code(const Settings& settings) {
  std::set<std::string, std::less<>> rules;
  for (const Validator* check : settings.enabled)
    if (check->info().about_code) rules.emplace(check->info().name);
  return rules;
}

/// What a folder of models holds besides them. A link to a model that was not fetched, a damaged
/// one and one that was pickled are meant to be models.
bool holds_no_model(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::pickled_checkpoint:
  case ErrorKind::pickled_data:
  case ErrorKind::state_dict:
  case ErrorKind::unknown_format:
  case ErrorKind::unsupported_format:
  case ErrorKind::weights_only: return true;
  default: return false;
  }
}

} // namespace

void excuse_installed(const Settings& settings, ModelReport& report) {
  if (settings.fail_on_installed || report.findings.empty()) return;
  const auto rules = rules_about_code(settings);
  const CodeOwners owners(report.findings);
  for (Diagnostic& finding : report.findings)
    finding.excused = rules.contains(finding.rule) && !owners.package_of(finding).empty();
}

void pass_over(FileResult& result) {
  const auto& error = result.report.error;
  if (result.found && error && holds_no_model(error->kind()))
    result.report.status = ModelStatus::no_model;
}

} // namespace model_validator
