#include "verify/compare/checker_parts.h"

#include "verify/compare/words.h"

#include <cmath>

namespace model_validator::verify {

namespace {

std::string counts(const NonFinite& side) {
  return std::to_string(side.nan) + " NaN, " + std::to_string(side.positive_infinity) + " +Inf, " +
         std::to_string(side.negative_infinity) + " -Inf";
}

std::string shape_text(const TensorView& view) {
  return "torch.Size(" + to_string(view.shape) + ")";
}

} // namespace

Verdict check_non_finite(const Metrics& metrics) {
  Verdict verdict{"non-finite", metrics.non_finite_mismatches == 0, "", ""};
  if (verdict.passed)
    verdict.message =
        metrics.reference_non_finite.total() == 0
            ? "all elements are finite on both sides"
            : "NaN and Inf are in the same places: " + counts(metrics.reference_non_finite);
  else
    verdict.message = "NaN or Inf differ at " +
                      share(metrics.non_finite_mismatches, metrics.elements) +
                      ": the reference has " + counts(metrics.reference_non_finite) +
                      "; the candidate has " + counts(metrics.candidate_non_finite);
  return verdict;
}

Verdict check_exact(const Metrics& metrics) {
  if (metrics.unequal == 0) return {"exact", true, "every element is equal", ""};
  std::string message = share(metrics.unequal, metrics.elements) + " differ, and must be equal";
  if (!metrics.worst.empty())
    message += "; the greatest |d| is " + number(metrics.max_abs) + " at " +
               index_text(metrics.worst.front().index);
  return {"exact", false, message, ""};
}

Verdict check_close(const Metrics& metrics, const Closeness& rule, bool equal_nan) {
  const std::int64_t violations = metrics.violations.at(0) + (equal_nan ? 0 : metrics.nan_on_both);
  if (violations == 0) return {"allclose", true, rule_text(rule) + " for every element", ""};
  std::string message = share(violations, metrics.elements) + " violate " + rule_text(rule);
  if (!metrics.worst.empty())
    message += "; the greatest |d| is " + number(metrics.max_abs) + " at " +
               index_text(metrics.worst.front().index);
  if (!equal_nan && metrics.nan_on_both != 0) message += "; NaN equals nothing here";
  return {"allclose", false, message, ""};
}

std::string both_previews(const ComparedOutput& output) {
  return "framework_model=" + preview(output.reference) +
         ", compiled_model=" + preview(output.candidate);
}

std::string allclose_details(const ComparedOutput& output, double rtol, double atol) {
  return "\n- Tensor mismatch. Required rtol=" + number(rtol) + ", atol=" + number(atol) +
         "\n- Observed maximum relative diff: " + number(output.metrics.max_rel) +
         ", maximum absolute diff: " + number(output.metrics.max_abs) + "\n- Framework output: (" +
         shape_text(output.reference) + ")\n" + preview(output.reference) +
         "\n- Compiled model output: (" + shape_text(output.candidate) + ")\n" +
         preview(output.candidate);
}

void note_what_pcc_misses(const Metrics& metrics, std::vector<std::string>& notes) {
  if (metrics.fit) notes.push_back("fitted line: candidate ≈ " + fit_text(*metrics.fit));
  if (metrics.pcc_without_extremes)
    notes.push_back("without its " + std::to_string(metrics.extremes) +
                    " most extreme elements the PCC is " + number(*metrics.pcc_without_extremes));
}

} // namespace model_validator::verify
