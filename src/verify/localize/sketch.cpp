#include "verify/localize/sketch.h"

#include "verify/localize/sketch_sums.h"

#include <model_validator/verify/verify.h>

#include <ATen/Functions.h>

#include <algorithm>
#include <cmath>

namespace model_validator::verify {
namespace {

constexpr std::int64_t max_samples = 4096;

at::Tensor dense(at::Tensor tensor) {
  if (tensor.is_sparse() || tensor.is_mkldnn()) tensor = tensor.to_dense();
  if (tensor.is_quantized()) tensor = tensor.dequantize();
  const auto type = tensor.scalar_type(); // LibTorch has few kernels for these
  if (type == at::kUInt16 || type == at::kUInt32 || type == at::kUInt64)
    tensor = tensor.to(at::kDouble);
  return tensor.cpu().resolve_conj().resolve_neg();
}

/// Evenly spread, the first and the last among them.
std::vector<float> samples_of(const at::Tensor& numbers) {
  const auto count = std::min(numbers.numel(), max_samples);
  const auto last = static_cast<double>(numbers.numel() - 1);
  const auto places = at::linspace(0, last, count, at::kDouble).to(at::kLong);
  const auto taken = at::take(numbers, places).to(at::kFloat).contiguous();
  const auto* data = taken.const_data_ptr<float>();
  return {data, data + count};
}

/// Where float32 does not hold the values.
void measure_exactly(const at::Tensor& values, Sketch& sketch) {
  const auto view = to_tensor(values).view;
  const auto metrics = measure(view, view);
  sketch.non_finite = metrics.reference_non_finite;
  sketch.largest = metrics.reference_max;
  sketch.mean = metrics.reference_mean;
  // Not std::hypot, of which glibc 2.35 has a new version: the program would not start with an
  // older one.
  sketch.norm = std::sqrt(metrics.reference_mean * metrics.reference_mean +
                          metrics.reference_deviation * metrics.reference_deviation);
}

bool fits_float32(at::ScalarType type) {
  return type == at::kFloat || type == at::kHalf || type == at::kBFloat16;
}

bool as_many(const NonFinite& left, const NonFinite& right) {
  return left.nan == right.nan && left.positive_infinity == right.positive_infinity &&
         left.negative_infinity == right.negative_infinity;
}

/// Infinite where one is NaN or infinite and the other is something else.
double difference_of(float left, float right) {
  const double difference = std::abs(static_cast<double>(left) - right);
  if (std::isfinite(difference)) return difference;
  const bool alike = left == right || (std::isnan(left) && std::isnan(right));
  return alike ? 0 : nothing_alike;
}

} // namespace

Sketch sketch_of(const at::Tensor& tensor) {
  Sketch sketch;
  sketch.dtype = tensor.scalar_type();
  sketch.shape = without_single_axes(tensor.sizes().vec());
  sketch.real_valued = tensor.is_floating_point() || tensor.is_complex() || tensor.is_quantized();
  if (tensor.numel() == 0) return sketch;
  const auto values = dense(tensor);
  const auto numbers = values.is_complex() ? at::view_as_real(values) : values;
  sketch.samples = samples_of(numbers);
  const auto floats = numbers.to(at::kFloat).contiguous();
  const auto found = sums_over(floats.const_data_ptr<float>(), floats.numel());
  sketch.non_finite = found.non_finite;
  sketch.largest = found.largest;
  sketch.mean = found.mean;
  sketch.norm = found.norm;
  if (!fits_float32(values.scalar_type())) measure_exactly(values, sketch);
  if (numbers.numel() > max_samples)
    sketch.samples.insert(sketch.samples.end(), found.with_signs.begin(), found.with_signs.end());
  return sketch;
}

std::vector<std::int64_t> without_single_axes(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> found;
  std::ranges::remove_copy(shape, std::back_inserter(found), 1);
  return found;
}

std::vector<float> single_values(const Sketch& sketch) {
  const auto& samples = sketch.samples;
  const bool has_sums = samples.size() > static_cast<std::size_t>(max_samples);
  return {samples.begin(),
          has_sums ? samples.end() - std::ptrdiff_t{sums_of_sketch} : samples.end()};
}

double distance(const Sketch& reference, const Sketch& candidate, double limit) {
  if (reference.shape != candidate.shape || !as_many(reference.non_finite, candidate.non_finite))
    return nothing_alike;
  double difference = std::max({std::abs(reference.largest - candidate.largest),
                                std::abs(reference.mean - candidate.mean),
                                std::abs(reference.norm - candidate.norm)});
  const double enough = limit * reference.largest;
  for (std::size_t i = 0; i < reference.samples.size() && !(difference > enough); ++i)
    difference = std::max(difference, difference_of(reference.samples[i], candidate.samples[i]));
  if (difference == 0) return 0;
  if (reference.largest == 0 || difference > enough) return nothing_alike;
  return difference / reference.largest;
}

double noise_between(const Sketch& reference, const Sketch& moved) {
  const double far = reference.real_valued ? distance(reference, moved) : 0;
  return far == nothing_alike ? 0 : far;
}

} // namespace model_validator::verify
