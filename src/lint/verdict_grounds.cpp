#include "lint/verdict_grounds.h"

#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <string>

namespace model_validator {
namespace {

bool is_refused(const Diagnostic& finding, const TargetVerdict& verdict) {
  return contains(finding.refused_by, every_target) || contains(finding.refused_by, verdict.target);
}

/// @returns the targets that did not refuse the file before
std::vector<std::string> refuse(const Diagnostic& finding, ModelReport& report) {
  std::vector<std::string> refusers;
  for (TargetVerdict& verdict : report.verdicts) {
    if (!is_refused(finding, verdict)) continue;
    if (verdict.refusals.empty()) refusers.push_back("`" + verdict.target + "`");
    verdict.verdict = Verdict::refused;
    const bool nowhere = contains(finding.refused_by, every_target);
    const std::string reason = (nowhere ? "no runtime runs it: " : "") + finding.message;
    if (!contains(verdict.refusals, reason)) verdict.refusals.push_back(reason);
  }
  return refusers;
}

} // namespace

void judge_by_findings(ModelReport& report) {
  for (const Diagnostic& finding : report.findings)
    if (finding.severity == Severity::error) refuse(finding, report);
}

void judge_by_others(const std::vector<Diagnostic>& others, const Settings& settings,
                     ModelReport& report) {
  const auto found = std::ranges::find_if(settings.enabled, [](const Validator* check) {
    return check->info().name == "unsupported-ops";
  });
  for (const Diagnostic& other : others) {
    if (other.severity != Severity::error) continue;
    const std::vector<std::string> refusers = refuse(other, report);
    if (refusers.empty() || found == settings.enabled.end()) continue;
    const RuleInfo& rule = (*found)->info();
    Diagnostic finding = other;
    finding.rule = rule.name;
    finding.code = rule.code;
    finding.message = "the file is not taken by " + joined(refusers, ", ") + ": " + finding.message;
    finding.fingerprint = fingerprint_of(finding);
    report.findings.push_back(std::move(finding));
  }
}

} // namespace model_validator
