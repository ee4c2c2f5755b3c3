#include "verify/compare/compared_values.h"

#include <algorithm>
#include <map>

namespace model_validator::verify {
namespace {

/// What the values of an output say, from nothing to most.
enum class Substance { empty, nan, zero, constant, values };

bool is_floating_tensor(const OutputReport& output) {
  return output.reference && output.reference->dtype.find("float") != std::string::npos;
}

/// Whole numbers are often alike for good reasons: labels of one class, a mask that hides nothing.
Substance substance_of(const OutputReport& output) {
  if (!output.metrics) return Substance::values; // text, or what has failed already
  const Metrics& metrics = *output.metrics;
  if (metrics.elements == 0) return Substance::empty;
  if (metrics.nan_on_both == metrics.elements) return Substance::nan;
  if (!is_floating_tensor(output) || metrics.finite < metrics.elements) return Substance::values;
  if (metrics.reference_max == 0 && metrics.candidate_max == 0) return Substance::zero;
  const bool is_constant =
      metrics.elements > 1 && metrics.reference_deviation == 0 && metrics.candidate_deviation == 0;
  return is_constant ? Substance::constant : Substance::values;
}

std::string words_for(Substance substance) {
  switch (substance) {
  case Substance::empty: return "the output is empty on both sides";
  case Substance::nan: return "every element is NaN on both sides";
  case Substance::zero: return "every element is zero on both sides";
  default: return "every element has the same value";
  }
}

void report_nothing_compared(OutputReport& output, Substance substance, bool allowed) {
  const std::string words = words_for(substance);
  if (allowed)
    output.notes.push_back("no value was compared: " + words);
  else
    output.verdicts.push_back(
        {"compared", false,
         "no value was compared: " + words +
             "; give inputs that bring something out, or let it pass with `--allow-empty`",
         ""});
}

} // namespace

void require_compared_values(VerifyReport& report, bool allowed) {
  if (!report.passed()) return;
  struct Seen {
    Substance most;
    double mean; ///< of the reference: a constant that changes from call to call is none
  };
  std::map<std::string, Seen> seen;
  for (const OutputReport& output : report.outputs) {
    const Seen now{substance_of(output), output.metrics ? output.metrics->reference_mean : 0};
    const auto [place, is_first] = seen.emplace(output.name, now);
    if (is_first) continue;
    Seen& before = place->second;
    const bool changes =
        now.most >= Substance::zero && before.most >= Substance::zero && now.mean != before.mean;
    before.most = changes ? Substance::values : std::max(before.most, now.most);
  }
  const bool any_values = std::ranges::any_of(
      seen, [](const auto& output) { return output.second.most == Substance::values; });
  for (OutputReport& output : report.outputs) {
    const auto found = seen.find(output.name);
    if (found == seen.end() || found->second.most == Substance::values) continue;
    const bool says_nothing = found->second.most <= Substance::nan || !any_values;
    if (says_nothing)
      report_nothing_compared(output, found->second.most, allowed);
    else
      output.notes.push_back(words_for(found->second.most) + ", with these inputs");
    seen.erase(found); // once for all calls
  }
}

} // namespace model_validator::verify
