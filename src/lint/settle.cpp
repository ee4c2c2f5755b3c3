#include "lint/settle.h"

#include <algorithm>
#include <cstring>
#include <map>
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

} // namespace

bool counts(const Diagnostic& finding) {
  return finding.severity >= Severity::warning && !finding.suppressed;
}

void settle(ModelReport& report) {
  std::stable_sort(report.findings.begin(), report.findings.end(), before);
  std::map<std::string, std::size_t> findings;
  std::map<std::string, bool> failed;
  for (const Diagnostic& finding : report.findings) {
    if (finding.suppressed) continue;
    ++findings[finding.rule];
    failed[finding.rule] = failed[finding.rule] || counts(finding);
  }
  for (CheckResult& check : report.checks) {
    check.findings = findings[check.name];
    if (check.status != CheckStatus::crashed)
      check.status = failed[check.name] ? CheckStatus::failed : CheckStatus::passed;
  }
  if (report.error) {
    report.status = ModelStatus::error;
    return;
  }
  const bool any = std::any_of(report.findings.begin(), report.findings.end(), counts);
  report.status = any ? ModelStatus::failed : ModelStatus::passed;
}

} // namespace model_validator
