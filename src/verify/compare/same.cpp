#include "verify/compare/words.h"

#include <model_validator/verify/metrics.h>
#include <model_validator/verify/same.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace model_validator::verify {

namespace {

bool has_nan_or_inf(const Metrics& metrics) {
  return metrics.reference_non_finite.total() + metrics.candidate_non_finite.total() != 0;
}

/// As the plain formula gives it: NaN as soon as anything is not finite.
double plain_rmse(const Metrics& metrics) {
  if (metrics.elements == 0 || has_nan_or_inf(metrics))
    return std::numeric_limits<double>::quiet_NaN();
  return metrics.rmse;
}

Metrics metrics_of(const TensorView& reference, const TensorView& candidate, double tol) {
  MetricOptions options;
  options.closeness = {{tol, tol, Denominator::candidate}};
  return measure(reference, candidate, options);
}

bool all_close(const Metrics& metrics, bool equal_nan) {
  return metrics.violations.at(0) == 0 && (equal_nan || metrics.nan_on_both == 0);
}

/// Noise weighs more on small tensors, so dynamo allows them more.
double multiplier_of(const TensorView& ref, const TensorView& res, double tol) {
  constexpr std::int64_t small = 1000;
  constexpr double high_tolerance = 2e-2;
  const Shape& shape = ref.shape;
  const bool single_pixel = shape.size() == 4 && shape[2] == 1 && shape[3] == 1;
  const bool half = res.dtype == DType::float16 || res.dtype == DType::bfloat16;
  return half || element_count(ref) < small || single_pixel || tol >= high_tolerance ? 3 : 2;
}

class Comparison {
public:
  Comparison(const SameTolerances& tolerances, SameResult& result)
      : tolerances_(tolerances), result_(result) {}

  void compare(const std::string& path, const Value& ref, const Value& res, const Value* fp64) {
    if (const auto* items = std::get_if<Sequence>(&ref.data))
      compare_sequences(path, *items, res, fp64);
    else if (const auto* dict = std::get_if<Dict>(&ref.data))
      compare_dicts(path, *dict, res, fp64);
    else if (std::holds_alternative<Tensor>(ref.data) || std::holds_alternative<double>(ref.data))
      compare_numbers(path, ref, res, fp64);
    else
      compare_plain(path, ref, res);
  }

private:
  void differ(const std::string& path, const std::string& message) {
    result_.equal = false;
    result_.differences.push_back((path.empty() ? "result" : path) + ": " + message);
  }

  void differ_in_kind(const std::string& path, const Value& ref, const Value& res) {
    differ(path, std::string("type mismatch: ") + kind_name(ref) + " and " + kind_name(res));
  }

  void compare_sequences(const std::string& path, const Sequence& ref, const Value& res,
                         const Value* fp64) {
    const auto* other = std::get_if<Sequence>(&res.data);
    if (other == nullptr) return differ_in_kind(path, Value{ref}, res);
    if (ref.items.size() != other->items.size())
      return differ(path, "length mismatch: " + std::to_string(ref.items.size()) + " and " +
                              std::to_string(other->items.size()));
    const auto* golden = fp64 != nullptr ? std::get_if<Sequence>(&fp64->data) : nullptr;
    if (fp64 != nullptr && (golden == nullptr || golden->items.size() != ref.items.size()))
      return differ(path, "the float64 reference has a different structure");
    for (std::size_t i = 0; i < ref.items.size(); ++i)
      compare(join_path(path, step_name(ref, i)), ref.items[i], other->items[i],
              golden != nullptr ? &golden->items[i] : nullptr);
  }

  void compare_dicts(const std::string& path, const Dict& ref, const Value& res,
                     const Value* fp64) {
    const auto* other = std::get_if<Dict>(&res.data);
    if (other == nullptr) return differ_in_kind(path, Value{ref}, res);
    const auto* golden = fp64 != nullptr ? std::get_if<Dict>(&fp64->data) : nullptr;
    if (fp64 != nullptr && golden == nullptr)
      return differ(path, "the float64 reference has a different structure");
    for (const auto& [key, item] : other->items)
      if (find(ref, key) == nullptr)
        differ(join_path(path, key), "keys mismatch: only the result has it");
    for (const auto& [key, item] : ref.items) {
      const std::string inner = join_path(path, key);
      const Value* counterpart = find(*other, key);
      const Value* precise = golden != nullptr ? find(*golden, key) : nullptr;
      if (counterpart == nullptr)
        differ(inner, "keys mismatch: the result does not have it");
      else if (golden != nullptr && precise == nullptr)
        differ(inner, "the float64 reference does not have it");
      else
        compare(inner, item, *counterpart, precise);
    }
  }

  static const Value* find(const Dict& dict, const std::string& key) {
    const auto found =
        std::ranges::find_if(dict.items, [&](const auto& entry) { return entry.first == key; });
    return found == dict.items.end() ? nullptr : &found->second;
  }

  void compare_plain(const std::string& path, const Value& ref, const Value& res) {
    if (ref.data.index() != res.data.index()) return differ_in_kind(path, ref, res);
    if (const auto* text = std::get_if<std::string>(&ref.data)) {
      const auto& other = std::get<std::string>(res.data);
      if (*text != other) differ(path, "'" + *text + "' != '" + other + "'");
    } else if (!std::holds_alternative<None>(ref.data)) {
      const Metrics metrics = measure(as_tensor(ref).view, as_tensor(res).view);
      if (metrics.unequal != 0)
        differ(path, preview(as_tensor(ref).view) + " != " + preview(as_tensor(res).view));
    }
  }

  static bool numeric(const Value& value) {
    return !std::holds_alternative<None>(value.data) &&
           !std::holds_alternative<std::string>(value.data) &&
           !std::holds_alternative<Sequence>(value.data) &&
           !std::holds_alternative<Dict>(value.data);
  }

  void compare_numbers(const std::string& path, const Value& ref_value, const Value& res_value,
                       const Value* fp64_value) {
    if (!numeric(res_value)) return differ_in_kind(path, ref_value, res_value);
    if (fp64_value != nullptr && !numeric(*fp64_value))
      return differ(path, "the float64 reference has a different structure");
    const Tensor ref = as_tensor(ref_value), res = as_tensor(res_value);
    const Tensor fp64 = fp64_value != nullptr ? as_tensor(*fp64_value) : ref;
    if (tolerances_.exact_dtype && ref.view.dtype != res.view.dtype)
      return differ(path, std::string("dtype mismatch ") + to_string(ref.view.dtype) + ", " +
                              to_string(res.view.dtype));
    if (is_complex(ref.view.dtype) != is_complex(res.view.dtype))
      return differ(path, "a complex tensor and a real one cannot be compared");
    if (ref.view.shape != res.view.shape || ref.view.shape != fp64.view.shape)
      return differ(path, "shape mismatch " + to_string(ref.view.shape) + ", " +
                              to_string(res.view.shape));
    judge(path, ref.view, res.view, fp64.view);
  }

  void judge(const std::string& path, const TensorView& ref, const TensorView& res,
             const TensorView& fp64) {
    const Metrics metrics = metrics_of(ref, res, tolerances_.tol);
    const bool nan_may_be = tolerances_.equal_nan || tolerances_.cos_similarity;
    if (all_close(metrics, nan_may_be)) return;
    if (tolerances_.cos_similarity)
      judge_cosine(path, metrics);
    else if (fp64.dtype == DType::float64 && ref.dtype != DType::bool_)
      judge_by_float64(path, ref, res, fp64);
    else
      differ(path, "allclose not within tol=" + number(tolerances_.tol) + ": " +
                       share(metrics.violations.at(0), metrics.elements) + " differ, max|d| " +
                       number(metrics.max_abs) + at_worst(metrics) +
                       (metrics.nan_on_both != 0 ? "; NaN equals nothing here" : ""));
  }

  static std::string at_worst(const Metrics& metrics) {
    return metrics.worst.empty() ? "" : " at " + index_text(metrics.worst.front().index);
  }

  void judge_cosine(const std::string& path, const Metrics& metrics) {
    constexpr double least = 0.99;
    const double score = has_nan_or_inf(metrics) ? 0 : metrics.cosine.value_or(0);
    if (score < least)
      differ(path, "cosine similarity " + number(score) + " < " + number(least));
    else
      result_.notes.push_back(path + ": passes by cosine similarity " + number(score));
  }

  void judge_by_float64(const std::string& path, const TensorView& ref, const TensorView& res,
                        const TensorView& fp64) {
    constexpr double loose = 4e-2;
    const Metrics of_ref = metrics_of(fp64, ref, loose), of_res = metrics_of(fp64, res, loose);
    const double ref_error = plain_rmse(of_ref), res_error = plain_rmse(of_res);
    const double multiplier = multiplier_of(ref, res, tolerances_.tol);
    const std::string words = "RMSE(res, fp64) " + number(res_error) + ", RMSE(ref, fp64) " +
                              number(ref_error) + ", multiplier " + number(multiplier);
    const bool better = of_ref.reference_non_finite.nan == 0 &&
                        of_res.candidate_non_finite.nan == 0 &&
                        of_ref.candidate_non_finite.nan != 0 && all_close(of_res, false);
    const bool both_nan = tolerances_.equal_nan && std::isnan(ref_error) && std::isnan(res_error);
    if (better || both_nan || res_error <= multiplier * ref_error + tolerances_.tol / 10)
      result_.notes.push_back(path + ": passes against the float64 reference, " + words);
    else
      differ(path, words + ", tol " + number(tolerances_.tol));
  }

  const SameTolerances& tolerances_;
  SameResult& result_;
};

} // namespace

SameResult same(const Value& ref, const Value& res, const Value* fp64_ref,
                const SameTolerances& tolerances) {
  SameResult result;
  Comparison(tolerances, result).compare("", ref, res, fp64_ref);
  return result;
}

} // namespace model_validator::verify
