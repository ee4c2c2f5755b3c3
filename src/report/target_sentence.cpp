#include "report/target_sentence.h"

#include "text/lists.h"
#include "text/plural.h"

namespace model_validator {
namespace {

std::string found(const TargetVerdict& verdict) {
  const VerdictCounts ops = count_calls(verdict);
  const std::string of_all = " of " + plural(ops.all(), "op");
  if (!verdict.refusals.empty()) return "does not run the file";
  if (ops.refused > 0 && verdict.falls_back)
    return "takes " + std::to_string(ops.all() - ops.refused) + of_all + "; " +
           std::to_string(ops.refused) + (ops.refused == 1 ? " falls back" : " fall back");
  if (ops.refused > 0) return "refuses " + std::to_string(ops.refused) + of_all;
  if (ops.wrong > 0) return "computes " + std::to_string(ops.wrong) + of_all + " wrongly";
  if (ops.unknown > 0) return "not known for " + std::to_string(ops.unknown) + of_all;
  if (verdict.verdict == Verdict::unknown) return "was not judged";
  if (ops.partly > 0) return "takes " + std::to_string(ops.partly) + of_all + " in part";
  if (ops.all() == 0) return "has no op to refuse";
  return ops.all() == 1 ? "takes the one op" : "takes all " + plural(ops.all(), "op");
}

} // namespace

VerdictCounts count_calls(const TargetVerdict& verdict) {
  VerdictCounts counts;
  for (const OperatorVerdict& each : verdict.operators) counts.add(each.verdict, each.calls);
  return counts;
}

std::string versioned_name(const TargetVerdict& verdict) {
  std::string name = verdict.target;
  if (verdict.opset > 0) return name + " (opset " + std::to_string(verdict.opset) + ")";
  if (!verdict.release.empty()) return name + " " + verdict.release;
  const std::string package = verdict.package.substr(0, verdict.package.find(','));
  if (package.empty()) return name;
  if (package.starts_with(name + " ")) return package;
  return name + " (" + package + ")";
}

std::string sentence(const TargetVerdict& verdict) {
  return versioned_name(verdict) + ": " + found(verdict);
}

std::vector<std::string> conditions_of(const TargetVerdict& verdict) {
  std::vector<std::string> lines;
  for (const OperatorVerdict& each : verdict.operators)
    if (each.verdict == Verdict::partly)
      lines.push_back("`" + each.name + "`" +
                      (each.calls > 1 ? " (" + std::to_string(each.calls) + ")" : "") +
                      (each.conditions.empty() ? "" : ": " + joined(each.conditions, "; ")));
  return lines;
}

} // namespace model_validator
