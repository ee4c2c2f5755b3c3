#include "verify/compare/checker_parts.h"
#include "verify/compare/float_formats.h"
#include "verify/compare/words.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace model_validator::verify {

namespace {

Closeness rule_of(const AutomaticOptions& options) {
  return {options.rtol, options.atol, Denominator::candidate};
}

/// Of booleans: 2R / (n + R), where R elements differ (Rogers and Tanimoto 1960).
Verdict check_dissimilarity(const Metrics& metrics, double threshold) {
  const auto differing = static_cast<double>(metrics.unequal);
  const double dissimilarity =
      metrics.elements == 0 ? 0
                            : 2 * differing / (static_cast<double>(metrics.elements) + differing);
  return {"dissimilarity", dissimilarity <= threshold,
          "Rogers-Tanimoto dissimilarity " + number(dissimilarity) + ", at most " +
              number(threshold) + " allowed; " + share(metrics.unequal, metrics.elements) +
              " differ",
          ""};
}

Verdict check_pcc(const Metrics& metrics, double least) {
  return {"pcc", *metrics.pcc >= least,
          "PCC " + number(*metrics.pcc) + ", at least " + number(least) + " required", ""};
}

/// A PCC does not see a factor or an offset; the concordance coefficient is the PCC that does.
Verdict check_concordance(const Metrics& metrics, double least) {
  const bool passed = *metrics.concordance >= least;
  std::string message =
      "concordance " + number(*metrics.concordance) + ", at least " + number(least) + " required";
  if (!passed && metrics.fit)
    message += ": the candidate is scaled or shifted, candidate ≈ " + fit_text(*metrics.fit);
  return {"concordance", passed, message, ""};
}

/// A few huge elements that agree can make the PCC pass by themselves.
Verdict check_leverage(const Metrics& metrics, double least) {
  constexpr double carried = 0.5;
  const bool judged = metrics.concordance_without_extremes && metrics.extreme_share > carried;
  if (!judged) return {"leverage", true, "no few elements carry the PCC", ""};
  return {"leverage", *metrics.concordance_without_extremes >= least,
          std::to_string(metrics.extremes) + " extreme elements carry " +
              number(100 * metrics.extreme_share) + "% of the variance; without them the " +
              "concordance is " + number(*metrics.concordance_without_extremes) + ", at least " +
              number(least) + " required",
          ""};
}

/// One wrong element among many hardly moves a PCC. It shows in its error: far beyond all the
/// others', and more than a tenth of the noise that such a PCC allows.
Verdict check_outliers(const Metrics& metrics, double least) {
  constexpr double beyond_the_rest = 100;
  constexpr double part_of_noise = 0.1;
  const double noise = std::sqrt(std::max(0.0, 1 - least * least));
  const auto outlying = [&](const Element& element) {
    const double size = metrics.reference_deviation + std::fabs(element.reference);
    const double error = std::fabs(element.difference);
    return error > beyond_the_rest * metrics.rmse_without_worst &&
           error > part_of_noise * noise * size;
  };
  const auto found = std::ranges::find_if(metrics.worst, outlying);
  if (metrics.extremes == 0 || found == metrics.worst.end())
    return {"outliers", true, "no element is off alone", ""};
  return {"outliers", false,
          "the element at " + index_text(found->index) + " is off by " + number(found->difference) +
              ", where all but the " + std::to_string(metrics.extremes) +
              " worst have an RMSE of " + number(metrics.rmse_without_worst),
          ""};
}

/// Variance that comes from rounding alone cannot be correlated.
bool varies(const Metrics& metrics, const ComparedOutput& output) {
  constexpr double roundings = 4;
  return metrics.reference_deviation >
         roundings * epsilon_of(output.reference.dtype) * metrics.reference_max;
}

std::vector<Verdict> check_correlation(const ComparedOutput& output,
                                       const AutomaticOptions& options,
                                       std::vector<std::string>& notes) {
  const Metrics& metrics = output.metrics;
  std::vector<Verdict> verdicts{check_non_finite(metrics), check_pcc(metrics, options.pcc)};
  const Verdict close = check_close(metrics, rule_of(options), true);
  if (!verdicts.back().passed && close.passed && !varies(metrics, output)) {
    notes.push_back("the reference varies by no more than its rounding: allclose was used, with "
                    "the candidate in the denominator, instead of the PCC");
    verdicts.back() = close;
    return verdicts;
  }
  std::vector<Verdict> blind_spots{check_concordance(metrics, options.pcc),
                                   check_leverage(metrics, options.pcc),
                                   check_outliers(metrics, options.pcc)};
  for (Verdict& verdict : blind_spots)
    if (!options.pcc_alone)
      verdicts.push_back(std::move(verdict));
    else if (!verdict.passed)
      notes.push_back("the PCC alone decides, but " + verdict.message);
  if (!close.passed) {
    notes.push_back("allclose would not pass: " + close.message);
    note_what_pcc_misses(metrics, notes);
  }
  return verdicts;
}

std::vector<Verdict> check_fallback(const Metrics& metrics, const AutomaticOptions& options,
                                    std::vector<std::string>& notes) {
  const bool single = metrics.elements == 1;
  notes.push_back(std::string(single ? "one element" : "a side without variance") +
                  " has no PCC: allclose was used, with the candidate in the denominator");
  return {check_non_finite(metrics), check_close(metrics, rule_of(options), !single)};
}

/// TT-Forge's choice of a measure, and checks for everything that this measure misses.
/// @param checker  named in the text of a failure
std::vector<Verdict> check_automatically(const ComparedOutput& output,
                                         const AutomaticOptions& options,
                                         const std::string& checker,
                                         std::vector<std::string>& notes) {
  const Metrics& metrics = output.metrics;
  std::vector<Verdict> verdicts;
  if (output.reference.dtype == DType::bool_)
    verdicts = {check_dissimilarity(metrics, options.dissimilarity_threshold)};
  else if (metrics.pcc && metrics.elements > 1)
    verdicts = check_correlation(output, options, notes);
  else
    verdicts = check_fallback(metrics, options, notes);
  for (Verdict& verdict : verdicts)
    if (!verdict.passed)
      verdict.thrown = "Data mismatch -> " + checker +
                       " (compare_with_golden): " + both_previews(output) + "\n- " +
                       verdict.message;
  return verdicts;
}

} // namespace

std::vector<Closeness> AutomaticValueChecker::closeness(const std::string&, DType) const {
  return {rule_of(options_)};
}

std::vector<Verdict> AutomaticValueChecker::check(const ComparedOutput& output,
                                                  std::vector<std::string>& notes) const {
  return check_automatically(output, options_, "AutomaticValueChecker", notes);
}

std::vector<Closeness> FullValueChecker::closeness(const std::string&, DType) const {
  return {rule_of(options_)};
}

std::vector<Verdict> FullValueChecker::check(const ComparedOutput& output,
                                             std::vector<std::string>& notes) const {
  auto verdicts = check_automatically(output, options_, "FullChecker", notes);
  if (is_integral(output.reference.dtype)) {
    verdicts.push_back(check_exact(output.metrics));
    return verdicts;
  }
  Verdict close = check_close(output.metrics, rule_of(options_), false);
  if (!close.passed)
    close.thrown = "Data mismatch -> FullChecker (all_close):" +
                   allclose_details(output, options_.rtol, options_.atol) + "\n- " + close.message;
  verdicts.push_back(std::move(close));
  return verdicts;
}

} // namespace model_validator::verify
