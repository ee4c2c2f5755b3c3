#include "verify/compare/checker_parts.h"
#include "verify/compare/words.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

/// An output that is zero everywhere has no scale for a relative tolerance. It is treated as one
/// whose largest value is this: with float32's tolerance that gives the absolute tolerance of
/// `assert_close`.
constexpr double scale_of_zeros = 0.1;

/// What an output is allowed.
struct Allowance {
  double tol = 0;
  std::optional<double> atol; ///< none where the user gives none
  double pcc = 0;
  const NoiseFloor* floor = nullptr; ///< none where nothing is known, or the user decides

  bool has_no_scale(const Metrics& metrics) const { return !atol && metrics.reference_max == 0; }
  double scale(const Metrics& metrics) const {
    return has_no_scale(metrics) ? scale_of_zeros : metrics.reference_max;
  }
  double tolerated(const Metrics& metrics) const { return atol.value_or(0) + tol * scale(metrics); }
  bool is_noise_bound(const Metrics& metrics) const {
    return floor != nullptr && floor->value > tolerated(metrics);
  }
  double bound(const Metrics& metrics) const {
    return is_noise_bound(metrics) ? floor->value : tolerated(metrics);
  }
};

Allowance allowance_of(const DefaultOptions& options, const ComparedOutput& output) {
  const DType dtype = output.reference.dtype;
  Allowance allowance{options.tol.find(output.name).value_or(default_tolerance(dtype)),
                      options.atol.find(output.name),
                      options.pcc.find(output.name).value_or(default_pcc(dtype))};
  const auto floor = options.floors.find(output.name);
  if (floor != options.floors.end() && !allowance.atol && allowance.tol != 0)
    allowance.floor = &floor->second;
  return allowance;
}

Verdict check_exact(const Metrics& metrics) {
  if (metrics.unequal == 0) return {"exact", true, "every element is equal", ""};
  std::string message = share(metrics.unequal, metrics.elements) + " differ, and must be equal";
  if (!metrics.worst.empty())
    message += "; the greatest |d| is " + number(metrics.max_abs) + " at " +
               index_text(metrics.worst.front().index);
  return {"exact", false, message, ""};
}

Verdict check_bound(const Metrics& metrics, const Allowance& allowance) {
  const double bound = allowance.bound(metrics);
  const bool passed = metrics.max_abs <= bound;
  std::string message = "max|d| " + number(metrics.max_abs) + (passed ? " ≤ " : " > ");
  if (allowance.is_noise_bound(metrics))
    return {"tolerance", passed, message + number(bound) + ", " + allowance.floor->origin, ""};
  if (allowance.atol.value_or(0) != 0) message += number(*allowance.atol) + " + ";
  message += number(allowance.tol) + " · " +
             (allowance.has_no_scale(metrics) ? "" : "max|reference| ") +
             number(allowance.scale(metrics)) + " = " + number(bound);
  if (!passed && !metrics.worst.empty())
    message += ", at " + index_text(metrics.worst.front().index);
  return {"tolerance", passed, message, ""};
}

void note_missing_scale(const Metrics& metrics, const Allowance& allowance,
                        std::vector<std::string>& notes) {
  if (!allowance.has_no_scale(metrics) || metrics.max_abs == 0) return;
  notes.push_back("the reference is zero everywhere and has no scale: it is judged as an output "
                  "whose largest value is " +
                  number(scale_of_zeros) + "; `--atol` sets what is allowed");
}

void note_noise_bound(const Metrics& metrics, const Allowance& allowance,
                      std::vector<std::string>& notes) {
  if (!allowance.is_noise_bound(metrics) || metrics.max_abs <= allowance.tolerated(metrics)) return;
  notes.push_back(
      "with these inputs the output is so small (at most " + number(metrics.reference_max) +
      ") that its own tolerance is below its noise: inputs that make it larger show more");
}

/// Rounding noise stays below a tenth of the bound. If that noise alone would lower the PCC of an
/// output that varies this little, the PCC says nothing.
bool pcc_applies(const Metrics& metrics, const Allowance& allowance) {
  constexpr double honest = 0.1;
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

/// A few huge elements that agree widen the bound, and raise the PCC, for all the others.
void add_leverage(const Metrics& metrics, const Allowance& allowance,
                  std::vector<Verdict>& verdicts) {
  constexpr double carried = 0.5;  ///< of the variance
  constexpr double visible = 0.05; ///< of the bound: honest noise stays below it
  constexpr double alike = 0.5;
  if (!metrics.pcc_without_extremes || !(metrics.extreme_share > carried)) return;
  const double deviation_of_rest =
      metrics.reference_deviation * std::sqrt(std::max(0.0, 1 - metrics.extreme_share));
  if (deviation_of_rest < visible * allowance.bound(metrics)) return;
  verdicts.push_back(
      {"leverage", *metrics.pcc_without_extremes >= alike,
       std::to_string(metrics.extremes) + " extreme elements carry " +
           number(100 * metrics.extreme_share) + "% of the variance; without them the PCC is " +
           number(*metrics.pcc_without_extremes) + ", at least " + number(alike) + " required",
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
  case DType::complex128: return 1e-7;
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
  note_missing_scale(metrics, allowance, notes);
  note_noise_bound(metrics, allowance, notes);
  if (!is_integral(output.reference.dtype)) add_pcc(metrics, allowance, verdicts, notes);
  const bool pcc_passed = verdicts.back().check == "pcc" && verdicts.back().passed;
  if (!verdicts[1].passed && pcc_passed) note_what_pcc_misses(metrics, notes);
  if (!is_integral(output.reference.dtype)) add_leverage(metrics, allowance, verdicts);
  return verdicts;
}

} // namespace model_validator::verify
