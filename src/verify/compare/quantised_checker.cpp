#include "verify/compare/checker_parts.h"
#include "verify/compare/words.h"

#include <cmath>
#include <limits>

namespace model_validator::verify {
namespace {

Verdict check_ratio(const Metrics& metrics, double least) {
  const std::optional<double> ratio = sqnr_of(metrics);
  if (!ratio)
    return {"sqnr", metrics.rmse == 0,
            "the reference is zero throughout, and the candidate " +
                std::string(metrics.rmse == 0 ? "too" : "is not"),
            ""};
  return {"sqnr", *ratio >= least,
          "SQNR " + number(*ratio) + " dB, at least " + number(least) + " dB required", ""};
}

Verdict check_agreement(const Metrics& metrics, double least) {
  const std::int64_t equal = metrics.elements - metrics.unequal;
  const bool passed = static_cast<double>(equal) >= least * static_cast<double>(metrics.elements);
  return {"agreement", passed,
          share(equal, metrics.elements) + " agree, at least " + number(100 * least) +
              " % required",
          ""};
}

} // namespace

std::optional<double> sqnr_of(const Metrics& metrics) {
  const double signal = metrics.reference_deviation * metrics.reference_deviation +
                        metrics.reference_mean * metrics.reference_mean;
  if (signal == 0) return std::nullopt;
  if (metrics.rmse == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / (metrics.rmse * metrics.rmse));
}

/// Counted, and judged by nothing: elements that are off by more than a tenth of themselves.
std::vector<Closeness> QuantisedValueChecker::closeness(const std::string&, DType dtype) const {
  return {{is_integral(dtype) ? 0 : 0.1, 0, Denominator::reference}};
}

std::vector<Verdict> QuantisedValueChecker::check(const ComparedOutput& output,
                                                  std::vector<std::string>& notes) const {
  std::vector<Verdict> verdicts{check_non_finite(output.metrics)};
  if (is_integral(output.reference.dtype)) {
    verdicts.push_back(check_agreement(output.metrics, options_.agreement));
    return verdicts;
  }
  verdicts.push_back(
      check_ratio(output.metrics, options_.sqnr.find(output.name).value_or(default_sqnr)));
  if (!verdicts.back().passed) note_what_pcc_misses(output.metrics, notes);
  return verdicts;
}

std::shared_ptr<const ValueChecker>
QuantisedValueChecker::for_outputs(const std::vector<OutputNames>& outputs) const {
  QuantisedOptions named = options_;
  named.sqnr = options_.sqnr.of(outputs);
  return std::make_shared<QuantisedValueChecker>(std::move(named));
}

} // namespace model_validator::verify
