#include "report/target_sentence.h"

#include "text/lists.h"
#include "text/plural.h"

#include <algorithm>

namespace model_validator {
namespace {

/// `takes all 158 ops`, `takes 156 of 158 ops; 2 fall back`.
std::string taken(const VerdictCounts& ops) {
  if (ops.refused > 0)
    return "takes " + std::to_string(ops.all() - ops.refused) + " of " + plural(ops.all(), "op") +
           "; " + std::to_string(ops.refused) + (ops.refused == 1 ? " falls back" : " fall back");
  if (ops.all() == 0) return "has no op to refuse";
  return ops.all() == 1 ? "takes the one op" : "takes all " + plural(ops.all(), "op");
}

/// The words for a target that does not take the model; empty for one that does.
std::string not_taken(const TargetVerdict& verdict, const VerdictCounts& ops) {
  const std::string of_all = " of " + plural(ops.all(), "op");
  if (!verdict.refusals.empty()) return "does not run the file";
  if (ops.refused > 0 && !verdict.falls_back)
    return "refuses " + std::to_string(ops.refused) + of_all;
  if (ops.wrong > 0) return "computes " + std::to_string(ops.wrong) + of_all + " wrongly";
  if (ops.refused > 0) return "";
  if (ops.unknown > 0) return "not known for " + std::to_string(ops.unknown) + of_all;
  return verdict.verdict == Verdict::unknown ? "was not judged" : "";
}

std::string found(const TargetVerdict& verdict) {
  const VerdictCounts ops = count_calls(verdict);
  if (std::string text = not_taken(verdict, ops); !text.empty()) return text;
  if (ops.partly == 0) return taken(ops);
  return taken(ops) + "; " +
         (ops.all() == 1
              ? "it depends"
              : std::to_string(ops.partly) + (ops.partly == 1 ? " depends" : " depend")) +
         " on what the file does not say";
}

std::string name_of(const OperatorVerdict& each) {
  return "`" + each.name + "`" + (each.calls > 1 ? " (" + std::to_string(each.calls) + ")" : "");
}

/// `: `cat` (3): its rank is 4; …; and 2 more, which `-v` lists`
std::string first_conditions(const TargetVerdict& verdict) {
  constexpr std::size_t named = 2;
  std::vector<const OperatorVerdict*> partly;
  for (const OperatorVerdict& each : verdict.operators)
    if (each.verdict == Verdict::partly) partly.push_back(&each);
  std::vector<std::string> parts;
  bool complete = partly.size() <= named;
  for (const OperatorVerdict* each : partly) {
    if (parts.size() == named) break;
    parts.push_back(name_of(*each) +
                    (each->conditions.empty() ? "" : ": " + each->conditions.front()));
    complete = complete && each->conditions.size() <= 1;
  }
  const std::string rest =
      partly.size() > named ? "; and " + std::to_string(partly.size() - named) + " more" : "";
  return ": " + joined(parts, "; ") + rest + (complete ? "" : "; `-v` lists them all");
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

std::string headline(const TargetVerdict& verdict) {
  return versioned_name(verdict) + ": " + found(verdict);
}

std::string what_it_does(const TargetVerdict& verdict) {
  const VerdictCounts ops = count_calls(verdict);
  const bool conditional = ops.partly > 0 && not_taken(verdict, ops).empty();
  return found(verdict) + (conditional ? first_conditions(verdict) : "");
}

std::string sentence(const TargetVerdict& verdict) {
  return versioned_name(verdict) + ": " + what_it_does(verdict);
}

std::string_view word_for(const TargetVerdict& verdict) {
  switch (verdict.verdict) {
  case Verdict::taken: return "taken";
  case Verdict::partly:
    return count_calls(verdict).refused > 0 ? "taken in part" : "taken under conditions";
  case Verdict::unknown: return "not known";
  case Verdict::wrong: return "computed wrongly";
  case Verdict::refused: break;
  }
  return "refused";
}

std::vector<std::string> conditions_of(const TargetVerdict& verdict) {
  std::vector<std::string> lines;
  for (const OperatorVerdict& each : verdict.operators)
    if (each.verdict == Verdict::partly)
      lines.push_back(name_of(each) +
                      (each.conditions.empty() ? "" : ": " + joined(each.conditions, "; ")));
  return lines;
}

std::vector<std::string> asked_in_words(const ModelReport& report, std::string_view target) {
  const auto found = std::ranges::find(report.asked, target, &AskedHere::target);
  if (found == report.asked.end()) return {};
  std::vector<std::string> lines{"asked here: " + found->runtime + ": " + found->answer +
                                 (found->message.empty() ? "" : ": " + found->message)};
  for (const auto* more : {&found->nodes, &found->disagreements})
    for (const std::string& line : *more) lines.push_back("  " + line);
  return lines;
}

} // namespace model_validator
