#include "report/summary.h"

#include "text/lists.h"
#include "text/plural.h"

#include <algorithm>
#include <vector>

namespace model_validator {
namespace {

bool has_edits(const Diagnostic& finding) { return finding.fix && !finding.fix->edits.empty(); }

/// Whether `check --fix` would make its edits.
bool is_fixable(const Diagnostic& finding) {
  return has_edits(finding) && finding.fix->hazard.empty();
}

/// Whether `fix --rebuild` would try its edits. No proof shows what other numbers do.
bool is_fixable_with_proof(const Diagnostic& finding) {
  return has_edits(finding) && !finding.fix->hazard.empty() &&
         !(finding.fix->rewrite && finding.fix->rewrite->kind == Rewrite::Kind::replace_number);
}

/// ` (8 fixable, 3 with a proof)`
std::string fixable(const RunSummary& summary) {
  std::vector<std::string> parts;
  if (summary.fixable) parts.push_back(std::to_string(summary.fixable) + " fixable");
  if (summary.fixable_with_proof)
    parts.push_back(std::to_string(summary.fixable_with_proof) +
                    (parts.empty() ? " fixable with a proof" : " with a proof"));
  return parts.empty() ? ""
                       : " (" + parts.front() + (parts.size() > 1 ? ", " + parts.back() : "") + ')';
}

std::string found(const RunSummary& summary) {
  std::vector<std::string> parts;
  if (summary.errors) parts.push_back(plural(summary.errors, "error"));
  if (summary.warnings) parts.push_back(plural(summary.warnings, "warning"));
  if (summary.infos) parts.push_back(std::to_string(summary.infos) + " info");
  return parts.empty() ? "no problems" : list_in_words(parts);
}

std::string checked(const RunSummary& summary) {
  if (summary.models == 0) return "Checked no model";
  std::string text = "Found " + found(summary) + " in " + plural(summary.models, "model");
  text += fixable(summary);
  return text + "; " + std::to_string(summary.suppressed) + " suppressed";
}

std::size_t count_by_severity(RunSummary& summary, Severity severity) {
  switch (severity) {
  case Severity::error: return ++summary.errors;
  case Severity::warning: return ++summary.warnings;
  default: return ++summary.infos;
  }
}

} // namespace

void RunSummary::add(const ModelReport& report) {
  ++(report.error ? unreadable : models);
  for (const Diagnostic& finding : report.findings) {
    if (finding.suppressed) {
      ++suppressed;
      continue;
    }
    count_by_severity(*this, finding.severity);
    Rule& rule = rules[finding.code];
    rule.name = finding.rule;
    ++rule.findings;
    fixable_with_proof += is_fixable_with_proof(finding) ? 1 : 0;
    if (is_fixable(finding)) {
      ++fixable;
      rule.fixable = true;
    }
  }
}

std::string sentence(const RunSummary& summary) {
  std::string text = checked(summary);
  if (summary.unreadable) text += "; " + plural(summary.unreadable, "file") + " could not be read";
  if (summary.skipped) text += "; interrupted with " + plural(summary.skipped, "file") + " to go";
  if (summary.baseline_gone)
    text += "; " + plural(summary.baseline_gone, "finding") + " of the baseline " +
            (summary.baseline_gone == 1 ? "is" : "are") + " gone: write it again";
  if (!summary.preset.empty()) text += "; preset " + summary.preset;
  text += ".";
  if (summary.for_quantisers)
    text += " `--preset deploy` leaves out the " + std::to_string(summary.for_quantisers) +
            " that only quantisers ask for.";
  return text;
}

std::string statistics(const RunSummary& summary) {
  std::vector<std::pair<std::string, RunSummary::Rule>> rules(summary.rules.begin(),
                                                              summary.rules.end());
  std::stable_sort(rules.begin(), rules.end(), [](const auto& a, const auto& b) {
    return a.second.findings > b.second.findings;
  });
  std::string text;
  for (const auto& [code, rule] : rules) {
    const std::string count = std::to_string(rule.findings);
    text += std::string(count.size() < 6 ? 6 - count.size() : 0, ' ') + count + "  " + code + "  " +
            rule.name + (rule.fixable ? "  (fixable)" : "") + "\n";
  }
  return text;
}

} // namespace model_validator
