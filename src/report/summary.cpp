#include "report/summary.h"

#include "text/lists.h"
#include "text/plural.h"

#include <algorithm>
#include <vector>

namespace model_validator {
namespace {

bool has_edits(const Diagnostic& finding) { return finding.fix && !finding.fix->edits.empty(); }

/// Whether `fix --write` would make its edits, if they are proved.
bool is_fixable(const Diagnostic& finding) {
  return has_edits(finding) && finding.fix->hazard.empty();
}

/// Whether its edits wait for a word of their author: other code names what they touch, or results
/// change as is intended.
bool is_waiting(const Diagnostic& finding) {
  return has_edits(finding) && !finding.fix->hazard.empty();
}

/// ` (8 fixable, 3 proposed)`
std::string fixable(const RunSummary& summary) {
  std::vector<std::string> parts;
  if (summary.fixable) parts.push_back(std::to_string(summary.fixable) + " fixable");
  if (summary.fixable_with_proof)
    parts.push_back(std::to_string(summary.fixable_with_proof) + " proposed");
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
  text += "; " + std::to_string(summary.suppressed) + " suppressed";
  if (summary.excused)
    text += "; " + std::to_string(summary.excused) + " in installed packages, which " +
            (summary.excused == 1 ? "does" : "do") + " not count";
  return text;
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
  if (report.status == ModelStatus::no_model) {
    ++no_model;
    return;
  }
  ++(report.error ? unreadable : models);
  add_not_judged(report);
  for (const Diagnostic& finding : report.findings) {
    if (finding.suppressed) {
      ++suppressed;
      continue;
    }
    if (finding.excused)
      ++excused;
    else
      count_by_severity(*this, finding.severity);
    Rule& rule = rules[finding.code];
    rule.name = finding.rule;
    ++rule.findings;
    fixable_with_proof += is_waiting(finding) ? 1 : 0;
    if (is_fixable(finding)) {
      ++fixable;
      rule.fixable = true;
    }
  }
}

void RunSummary::add_not_judged(const ModelReport& report) {
  std::set<std::string> lacking;
  for (const CheckResult& check : report.checks) {
    if (check.status != CheckStatus::not_judged) continue;
    ++not_judged_checks;
    NotJudged& here = not_judged[check.lacking];
    here.rules.insert(check.name);
    if (lacking.insert(check.lacking).second) ++here.models;
  }
}

std::string not_judged(const RunSummary& summary) {
  std::vector<std::string> parts;
  for (const auto& [lacking, checks] : summary.not_judged) {
    std::vector<std::string> rules;
    for (const std::string& rule : checks.rules) rules.push_back('`' + rule + '`');
    const std::string where = summary.models == 1 ? ""
                                                  : " in " + std::to_string(checks.models) +
                                                        " of " + plural(summary.models, "model");
    parts.push_back(list_in_words(rules) + where + " (" + lacking + ")");
  }
  return parts.empty() ? "" : "Not judged: " + joined(parts, "; ") + ".";
}

std::string sentence(const RunSummary& summary) {
  std::string text = checked(summary);
  if (summary.unreadable) text += "; " + plural(summary.unreadable, "file") + " could not be read";
  if (summary.no_model)
    text += "; " + plural(summary.no_model, "file") + " in folders " +
            (summary.no_model == 1 ? "holds" : "hold") + " no model";
  if (summary.skipped) text += "; interrupted with " + plural(summary.skipped, "file") + " to go";
  if (summary.baseline_gone)
    text += "; " + plural(summary.baseline_gone, "finding") + " of the baseline " +
            (summary.baseline_gone == 1 ? "is" : "are") + " gone: write it again";
  if (!summary.preset.empty()) text += "; preset " + summary.preset;
  text += ".";
  if (summary.for_quantisers)
    text += " `--preset deploy` leaves out the " + std::to_string(summary.for_quantisers) +
            " that only quantisers ask for.";
  if (summary.without_target)
    text += " What a compiler refuses was not judged" +
            (summary.without_target == summary.models
                 ? std::string()
                 : " of " + plural(summary.without_target, "model")) +
            ": `--target` names one.";
  return text;
}

std::string statistics(const RunSummary& summary) {
  std::vector<std::pair<std::string, RunSummary::Rule>> rules(summary.rules.begin(),
                                                              summary.rules.end());
  std::ranges::stable_sort(
      rules, [](const auto& a, const auto& b) { return a.second.findings > b.second.findings; });
  std::string text;
  for (const auto& [code, rule] : rules) {
    const std::string count = std::to_string(rule.findings);
    text += std::string(count.size() < 6 ? 6 - count.size() : 0, ' ') + count + "  " + code + "  " +
            rule.name + (rule.fixable ? "  (fixable)" : "") + "\n";
  }
  return text;
}

} // namespace model_validator
