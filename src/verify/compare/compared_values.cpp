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
  if (metrics.reference_max == 0) return Substance::zero;
  const bool is_constant = metrics.elements > 1 && metrics.reference_deviation == 0;
  return is_constant ? Substance::constant : Substance::values;
}

std::string words_for(Substance substance) {
  switch (substance) {
  case Substance::empty: return "the output is empty on both sides";
  case Substance::nan: return "every element is NaN on both sides";
  case Substance::zero: return "every element of the reference is zero";
  default: return "every element of the reference has the same value";
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
  std::map<std::string, Substance> most; // of all calls
  for (const OutputReport& output : report.outputs) {
    const Substance substance = substance_of(output);
    const auto [place, is_first] = most.emplace(output.name, substance);
    if (!is_first) place->second = std::max(place->second, substance);
  }
  const bool any_values = std::any_of(most.begin(), most.end(), [](const auto& output) {
    return output.second == Substance::values;
  });
  for (OutputReport& output : report.outputs) {
    const auto found = most.find(output.name);
    if (found == most.end() || found->second == Substance::values || !output.passed()) continue;
    const bool says_nothing = found->second <= Substance::nan || !any_values;
    if (says_nothing)
      report_nothing_compared(output, found->second, allowed);
    else
      output.notes.push_back(words_for(found->second) + ", with these inputs");
    most.erase(found); // once for all calls
  }
}

} // namespace model_validator::verify
