#include "lint/finish_report.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace model_validator {
namespace {

const SourceLocation& place(const Diagnostic& finding) {
  static const SourceLocation unknown;
  return finding.locations.empty() ? unknown : finding.locations.front().source;
}

/// Numbers in names compare as numbers: `layer.2` comes before `layer.10`.
int compare_naturally(const std::string& a, const std::string& b) {
  return strverscmp(a.c_str(), b.c_str());
}

bool before(const Diagnostic& a, const Diagnostic& b) {
  const SourceLocation& p = place(a);
  const SourceLocation& q = place(b);
  const auto line = std::tie(p.file, p.line, p.column);
  const auto other = std::tie(q.file, q.line, q.column);
  if (line != other) return line < other;
  if (const int order = compare_naturally(a.module, b.module)) return order < 0;
  if (a.rule != b.rule) return a.rule < b.rule;
  return compare_naturally(a.op ? a.op->name : "", b.op ? b.op->name : "") < 0;
}

/// Sorts findings that are mostly in order already: runs of one check's findings, in the order of
/// execution.
void merge_runs(std::vector<Diagnostic*>& findings) {
  const auto earlier = [](const Diagnostic* a, const Diagnostic* b) { return before(*a, *b); };
  std::vector<std::ptrdiff_t> ends;
  for (auto run = findings.begin(); run != findings.end(); ends.push_back(run - findings.begin()))
    run = std::is_sorted_until(run, findings.end(), earlier);
  while (ends.size() > 1) {
    std::vector<std::ptrdiff_t> merged;
    std::ptrdiff_t start = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const std::ptrdiff_t end = i + 1 < ends.size() ? ends[i + 1] : ends[i];
      std::inplace_merge(findings.begin() + start, findings.begin() + ends[i],
                         findings.begin() + end, earlier);
      merged.push_back(start = end);
    }
    ends = std::move(merged);
  }
}

struct EarlierPlace {
  bool operator()(const SourceLocation* a, const SourceLocation* b) const {
    return std::tie(a->file, a->line, a->column) < std::tie(b->file, b->line, b->column);
  }
};

void judge_checks(ModelReport& report) {
  std::map<std::string, std::size_t> findings;
  std::map<std::string, bool> failed;
  std::set<std::string> told;
  for (const Diagnostic& finding : report.findings) {
    told.insert(finding.rule);
    if (finding.suppressed) continue;
    ++findings[finding.rule];
    failed[finding.rule] = failed[finding.rule] || counts(finding);
  }
  for (CheckResult& check : report.checks) {
    check.findings = findings[check.name];
    if (check.status == CheckStatus::crashed) continue;
    check.status = failed[check.name] ? CheckStatus::failed : CheckStatus::passed;
    if (!check.lacking.empty() && !told.contains(check.name))
      check.status = CheckStatus::not_judged;
  }
}

} // namespace

bool counts(const Diagnostic& finding) {
  return finding.severity >= Severity::warning && !finding.suppressed && !finding.excused;
}

std::vector<Diagnostic> in_order(const std::vector<Diagnostic*>& findings) {
  std::map<const SourceLocation*, std::vector<Diagnostic*>, EarlierPlace> places;
  for (Diagnostic* finding : findings) places[&place(*finding)].push_back(finding);
  std::vector<Diagnostic> sorted;
  sorted.reserve(findings.size());
  for (auto& entry : places) {
    merge_runs(entry.second);
    for (Diagnostic* finding : entry.second) sorted.push_back(std::move(*finding));
  }
  return sorted;
}

void judge(ModelReport& report) {
  judge_checks(report);
  const bool any = std::ranges::any_of(report.findings, counts);
  if (report.error)
    report.status = report.status == ModelStatus::no_model ? report.status : ModelStatus::error;
  else
    report.status = any ? ModelStatus::failed : ModelStatus::passed;
}

void finish(ModelReport& report) {
  std::vector<Diagnostic*> findings;
  findings.reserve(report.findings.size());
  for (Diagnostic& finding : report.findings) findings.push_back(&finding);
  report.findings = in_order(findings);
  judge(report);
}

} // namespace model_validator
