#include "verify/compare/checker_parts.h"
#include "verify/compare/float_formats.h"
#include "verify/compare/scale_parts.h"
#include "verify/compare/words.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

/// What an output is allowed.
struct Allowance {
  double tol = 0;
  std::optional<double> atol; ///< none where the user gives none
  double pcc = 0;
  bool is_named = false;             ///< the tolerance is the user's own
  const NoiseFloor* floor = nullptr; ///< none where nothing is known, or the user decides
  double smallest = 0;               ///< less than this may be flushed to zero

  double tolerated(double scale) const {
    return std::max(atol.value_or(0) + tol * scale, smallest);
  }
  bool is_noise_bound(const Metrics& metrics) const {
    return floor != nullptr && floor->value > tolerated(metrics.reference_max);
  }
  double bound(const Metrics& metrics) const {
    return is_noise_bound(metrics) ? floor->value : tolerated(metrics.reference_max);
  }
  double bound(const ScalePart& part) const {
    return std::max(tolerated(part.scale), floor == nullptr ? 0 : floor->value);
  }
  /// `0.001 · `, or `0.001 (--rtol) · `
  std::string factors() const {
    std::string text;
    if (atol.value_or(0) != 0) text += number(*atol) + " (--atol) + ";
    return text + number(tol) + (is_named ? " (--rtol) · " : " · ");
  }
};

double smallest_normal(DType dtype) {
  const auto format = float_format(dtype);
  return format ? std::ldexp(1.0, format->min_exponent) : 0;
}

/// The user's own tolerances bind: no noise lifts them.
Allowance allowance_of(const DefaultOptions& options, const std::string& name, DType dtype) {
  const std::optional<double> tol = options.tol.find(name);
  Allowance allowance{tol.value_or(default_tolerance(dtype)), options.atol.find(name),
                      options.pcc.find(name).value_or(default_pcc(dtype)), tol.has_value()};
  if (allowance.atol || tol) return allowance;
  // The smallest float16 numbers are too large to be flushed.
  if (epsilon_of(dtype) != epsilon_of(DType::float16)) allowance.smallest = smallest_normal(dtype);
  const auto floor = options.floors.find(name);
  if (floor == options.floors.end()) return allowance;
  allowance.floor = &floor->second;
  if (floor->second.computed_in) allowance.tol = default_tolerance(*floor->second.computed_in);
  return allowance;
}

Allowance allowance_of(const DefaultOptions& options, const ComparedOutput& output) {
  return allowance_of(options, output.name, output.reference.dtype);
}

Verdict check_bound(const Metrics& metrics, const Allowance& allowance) {
  const double bound = allowance.bound(metrics);
  const bool passed = metrics.max_abs <= bound;
  std::string message = "max|d| " + number(metrics.max_abs) + (passed ? " ≤ " : " > ");
  if (allowance.is_noise_bound(metrics))
    return {"tolerance", passed, message + number(bound) + ", " + allowance.floor->origin, ""};
  message += allowance.factors() + "max|reference| " + number(metrics.reference_max) + " = " +
             number(bound);
  if (!passed && !metrics.worst.empty())
    message += ", at " + index_text(metrics.worst.front().index);
  return {"tolerance", passed, message, ""};
}

/// Rounding is a small share of a tolerance of ours; of the user's it may take all.
constexpr double honest_share = 0.05;

std::vector<ScalePart> parts_of(const Metrics& metrics, const Allowance& allowance) {
  return metrics.scales ? scale_parts(*metrics.scales, allowance.is_named ? 1 : honest_share)
                        : std::vector<ScalePart>{};
}

std::string part_text(const ScalePart& part) {
  if (part.elements.scale == 0)
    return std::to_string(part.elements.count) + " elements" +
           (part.name.empty() ? "" : ", " + part.name + ",") + " are zero in the reference";
  const std::string size = " at most " + number(part.elements.scale);
  return (part.name.empty() ? std::to_string(part.elements.count) + " elements are" + size
                            : part.name + " holds" + size) +
         ", beside others of up to " + number(part.greatest);
}

/// What is small beside the largest values is judged by its own size.
Verdict check_scales(const ComparedOutput& output, const Allowance& allowance) {
  const std::vector<ScalePart> parts = parts_of(output.metrics, allowance);
  const ScalePart* worst = nullptr;
  std::size_t failing = 0;
  const auto excess = [&](const ScalePart& part) {
    return part.elements.error / std::max(allowance.bound(part), smallest_normal(DType::float64));
  };
  for (const ScalePart& part : parts) {
    if (part.elements.error <= allowance.bound(part)) continue;
    ++failing;
    if (worst == nullptr || excess(part) > excess(*worst)) worst = &part;
  }
  if (worst == nullptr)
    return {"scale", true, "values of every scale are within its tolerance", ""};
  std::string message =
      part_text(*worst) + ": max|d| " + number(worst->elements.error) + " > " +
      (allowance.bound(*worst) > allowance.tolerated(worst->scale)
           ? "the noise of these elements, "
           : allowance.factors() + number(worst->scale) + " = ") +
      number(allowance.bound(*worst)) + ", at " +
      index_text(coordinates_of(output.reference, output.candidate, worst->elements.position));
  if (failing > 1) message += "; parts beyond their tolerance: " + std::to_string(failing);
  return {"scale", false, message, ""};
}

/// Which part of the verdict rests on what the reference's own rounding does.
void note_noise_bound(const Metrics& metrics, const Allowance& allowance,
                      std::vector<std::string>& notes) {
  if (allowance.floor != nullptr && allowance.floor->computed_in)
    notes.push_back("the network computes in " +
                    std::string(to_string(*allowance.floor->computed_in)) +
                    ", so that its results are held to that");
  if (!allowance.is_noise_bound(metrics)) return;
  const double tolerated = allowance.tolerated(metrics.reference_max);
  if (metrics.max_abs <= tolerated || metrics.max_abs > allowance.floor->value) return;
  notes.push_back("the tolerance of this output, " + number(tolerated) +
                  ", is below its noise with these inputs: what differs by less than " +
                  number(allowance.floor->value) + " (" + allowance.floor->origin +
                  ") cannot be told from rounding");
}

/// Results of float64 that are as far off as float32's rounding.
void note_narrow_candidate(const ComparedOutput& output, const Verdict& verdict,
                           std::vector<std::string>& notes) {
  const Metrics& metrics = output.metrics;
  const bool is_double = epsilon_of(output.reference.dtype) == epsilon_of(DType::float64);
  if (is_double && !verdict.passed &&
      metrics.max_abs <= default_tolerance(DType::float32) * metrics.reference_max)
    notes.push_back("the difference is one of float32's size: the candidate seems to compute in "
                    "float32");
}

/// Rounding noise stays below a tenth of the bound, unless it is what sets the bound. If it alone
/// would lower the PCC of an output that varies this little, the PCC says nothing.
bool pcc_applies(const Metrics& metrics, const Allowance& allowance) {
  const double honest = allowance.is_noise_bound(metrics) ? 1 : 0.1;
  if (!metrics.pcc || allowance.pcc >= 1) return metrics.pcc.has_value();
  const double visible_noise = std::sqrt(2 * (1 - allowance.pcc)) * metrics.reference_deviation;
  return visible_noise >= honest * allowance.bound(metrics);
}

void add_pcc(const Metrics& metrics, const Allowance& allowance, std::vector<Verdict>& verdicts,
             std::vector<std::string>& notes) {
  if (!pcc_applies(metrics, allowance)) {
    if (metrics.elements > 1)
      notes.push_back(metrics.pcc
                          ? "PCC not judged: the reference varies too little relative to its size"
                          : "PCC not judged: a side has no variance");
    return;
  }
  verdicts.push_back({"pcc", *metrics.pcc >= allowance.pcc,
                      "PCC " + number(*metrics.pcc) + ", at least " + number(allowance.pcc) +
                          " required (1 − PCC is " + number(1 - *metrics.pcc) + ")",
                      ""});
}

} // namespace

double default_tolerance(DType dtype) {
  switch (dtype) {
  case DType::float16:
  case DType::complex32: return 1e-2;
  case DType::bfloat16: return 8e-2;
  case DType::float32:
  case DType::complex64: return 1e-4;
  case DType::float64:
  case DType::complex128: return 1e-10;
  default: return 0;
  }
}

double default_pcc(DType dtype) {
  switch (dtype) {
  case DType::float16:
  case DType::complex32: return 0.9999;
  case DType::bfloat16: return 0.999;
  default: return 0.99999;
  }
}

std::vector<Closeness> DefaultValueChecker::closeness(const std::string&, DType) const {
  return {};
}

std::optional<double> DefaultValueChecker::scales_beyond(const std::string& output,
                                                         DType dtype) const {
  if (is_integral(dtype)) return std::nullopt;
  return options_.find_tightest ? 0 : allowance_of(options_, output, dtype).tol;
}

std::optional<double> DefaultValueChecker::least_rtol(const ComparedOutput& output) const {
  const Metrics& metrics = output.metrics;
  if (!options_.find_tightest || metrics.reference_max == 0) return std::nullopt;
  double least = metrics.max_abs / metrics.reference_max;
  for (const ScalePart& part : parts_of(metrics, {}))
    if (part.elements.error > 0) least = std::max(least, part.elements.error / part.scale);
  return std::isfinite(least) ? std::optional(least) : std::nullopt;
}

std::optional<double> DefaultValueChecker::absolute_bound(const ComparedOutput& output) const {
  return allowance_of(options_, output).bound(output.metrics);
}

std::shared_ptr<const ValueChecker>
DefaultValueChecker::for_outputs(const std::vector<OutputNames>& outputs) const {
  DefaultOptions named = options_;
  named.tol = options_.tol.of(outputs);
  named.atol = options_.atol.of(outputs);
  named.pcc = options_.pcc.of(outputs);
  return std::make_shared<DefaultValueChecker>(std::move(named));
}

std::vector<Verdict> DefaultValueChecker::check(const ComparedOutput& output,
                                                std::vector<std::string>& notes) const {
  const Allowance allowance = allowance_of(options_, output);
  const Metrics& metrics = output.metrics;
  std::vector<Verdict> verdicts{check_non_finite(metrics)};
  if (allowance.tol == 0 && allowance.atol.value_or(0) == 0) {
    verdicts.push_back(check_exact(metrics));
    return verdicts;
  }
  verdicts.push_back(check_bound(metrics, allowance));
  note_noise_bound(metrics, allowance, notes);
  note_narrow_candidate(output, verdicts.back(), notes);
  if (is_integral(output.reference.dtype)) return verdicts;
  const bool is_large = !verdicts.back().passed; // then its parts say little
  add_pcc(metrics, allowance, verdicts, notes);
  const bool pcc_passed = verdicts.back().check == "pcc" && verdicts.back().passed;
  if (is_large && pcc_passed) note_what_pcc_misses(metrics, notes);
  if (!is_large && metrics.scales) verdicts.push_back(check_scales(output, allowance));
  return verdicts;
}

} // namespace model_validator::verify
