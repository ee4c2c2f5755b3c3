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

/// Places along an axis of which a scale that they share with larger ones leaves nothing, as of the
/// scores that a detector joins to its boxes.
struct LostPlaces {
  std::size_t count = 0;
  std::string first;
};

LostPlaces lost_places(const Metrics& metrics) {
  constexpr std::int64_t several = 16;
  constexpr double larger = 8;
  LostPlaces lost;
  if (!metrics.scales) return lost;
  const auto& axes = metrics.scales->by_axis;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    for (std::size_t place = 0; place < axes[axis].size(); ++place) {
      const ScaleGroup& group = axes[axis][place];
      const bool is_small = group.scale > 0 && larger * group.scale <= metrics.reference_max;
      if (!is_small || group.count < several || group.error < group.scale) continue;
      if (lost.count++ == 0)
        lost.first = "index " + std::to_string(place) + " of axis " + std::to_string(axis) +
                     " holds at most " + number(group.scale) + ", beside others of up to " +
                     number(metrics.reference_max) + ", and is off by up to " + number(group.error);
    }
  return lost;
}

/// A probability that is lost is one that was small; what is measured in other units than its
/// neighbours is lost altogether.
void check_places(const Metrics& metrics, std::vector<Verdict>& verdicts,
                  std::vector<std::string>& notes) {
  const LostPlaces lost = lost_places(metrics);
  if (lost.count == 0) return;
  std::string message = lost.first + ": nothing is left of it";
  if (lost.count > 1) message += "; lost like it: " + std::to_string(lost.count - 1);
  if (metrics.reference_max <= 1) return notes.push_back(std::move(message));
  verdicts.push_back({"scale", false, message + "; give it a scale of its own", ""});
}

} // namespace

std::optional<double> QuantisedValueChecker::scales_beyond(const std::string&, DType dtype) const {
  return is_integral(dtype) ? std::nullopt : std::optional(0.5);
}

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
  check_places(output.metrics, verdicts, notes);
  return verdicts;
}

std::shared_ptr<const ValueChecker>
QuantisedValueChecker::for_outputs(const std::vector<OutputNames>& outputs) const {
  QuantisedOptions named = options_;
  named.sqnr = options_.sqnr.of(outputs);
  return std::make_shared<QuantisedValueChecker>(std::move(named));
}

} // namespace model_validator::verify
