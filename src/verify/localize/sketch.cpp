#include "verify/localize/sketch.h"

#include <model_validator/verify/metrics.h>
#include <model_validator/verify/verify.h>

#include <ATen/Functions.h>

#include <algorithm>
#include <cmath>

namespace model_validator::verify {
namespace {

constexpr std::int64_t most_samples = 4096;

at::Tensor dense(at::Tensor tensor) {
  if (tensor.is_sparse() || tensor.is_mkldnn()) tensor = tensor.to_dense();
  if (tensor.is_quantized()) tensor = tensor.dequantize();
  return tensor.cpu().resolve_conj().resolve_neg();
}

/// Evenly spread, the first and the last among them; zero for what is not finite.
std::vector<float> samples_of(const at::Tensor& tensor) {
  const auto numbers = tensor.is_complex() ? at::view_as_real(tensor) : tensor;
  const auto count = std::min(numbers.numel(), most_samples);
  const auto last = static_cast<double>(numbers.numel() - 1);
  const auto places = at::linspace(0, last, count, at::kDouble).to(at::kLong);
  const auto taken =
      at::nan_to_num(at::take(numbers, places).to(at::kFloat), 0.0, 0.0, 0.0).contiguous();
  const auto* data = taken.const_data_ptr<float>();
  return {data, data + count};
}

} // namespace

Sketch sketch_of(const at::Tensor& tensor) {
  Sketch sketch;
  sketch.dtype = tensor.scalar_type();
  sketch.shape = tensor.sizes().vec();
  sketch.real_valued = tensor.is_floating_point() || tensor.is_complex() || tensor.is_quantized();
  if (tensor.numel() == 0) return sketch;
  const auto values = dense(tensor);
  // The kernels of the comparison read a tensor without making temporaries of its size.
  const auto view = to_tensor(values).view;
  const auto metrics = measure(view, view);
  sketch.nan = metrics.reference_non_finite.nan;
  sketch.infinite = metrics.reference_non_finite.total() - sketch.nan;
  sketch.largest = metrics.reference_max;
  sketch.mean = metrics.reference_mean;
  sketch.norm = std::hypot(metrics.reference_mean, metrics.reference_deviation);
  sketch.samples = samples_of(values);
  return sketch;
}

double distance(const Sketch& reference, const Sketch& candidate, double limit) {
  if (reference.shape != candidate.shape || reference.nan != candidate.nan ||
      reference.infinite != candidate.infinite)
    return nothing_alike;
  double difference = std::max({std::abs(reference.largest - candidate.largest),
                                std::abs(reference.mean - candidate.mean),
                                std::abs(reference.norm - candidate.norm)});
  const double enough = limit * reference.largest;
  for (std::size_t i = 0; i < reference.samples.size() && !(difference > enough); ++i)
    difference = std::max(
        difference, static_cast<double>(std::abs(reference.samples[i] - candidate.samples[i])));
  if (difference == 0) return 0;
  if (reference.largest == 0 || difference > enough) return nothing_alike;
  return difference / reference.largest;
}

} // namespace model_validator::verify
