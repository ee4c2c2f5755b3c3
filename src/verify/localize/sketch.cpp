#include "verify/localize/sketch.h"

#include <ATen/Functions.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace model_validator::verify {
namespace {

constexpr std::int64_t most_samples = 4096;

at::Tensor plain(const at::Tensor& tensor) {
  auto dense = tensor.is_sparse() || tensor.is_mkldnn() ? tensor.to_dense() : tensor;
  if (dense.is_quantized()) dense = dense.dequantize();
  if (dense.is_complex()) dense = at::view_as_real(dense.resolve_conj());
  return dense.reshape({-1}).to(at::kDouble);
}

/// Evenly spread, the first and the last among them.
std::vector<float> samples_of(const at::Tensor& flat) {
  const auto count = std::min(flat.numel(), most_samples);
  const auto* data = flat.const_data_ptr<double>();
  std::vector<float> samples;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = count == 1 ? 0 : i * (flat.numel() - 1) / (count - 1);
    samples.push_back(static_cast<float>(data[index]));
  }
  return samples;
}

} // namespace

Sketch sketch_of(const at::Tensor& tensor) {
  Sketch sketch;
  sketch.dtype = c10::toString(tensor.scalar_type());
  sketch.shape = tensor.sizes().vec();
  sketch.real_valued = tensor.is_floating_point() || tensor.is_complex() || tensor.is_quantized();
  if (tensor.numel() == 0) return sketch;
  const auto flat = plain(tensor).contiguous();
  sketch.nan = flat.isnan().sum().item<std::int64_t>();
  sketch.infinite = flat.isinf().sum().item<std::int64_t>();
  const auto finite = at::nan_to_num(flat, 0.0, 0.0, 0.0);
  sketch.largest = finite.abs().max().item<double>();
  sketch.mean = finite.mean().item<double>();
  sketch.norm = std::sqrt(finite.square().mean().item<double>());
  sketch.samples = samples_of(finite);
  return sketch;
}

double distance(const Sketch& reference, const Sketch& candidate) {
  constexpr double nothing_alike = std::numeric_limits<double>::infinity();
  if (reference.shape != candidate.shape || reference.nan != candidate.nan ||
      reference.infinite != candidate.infinite)
    return nothing_alike;
  double difference = std::max({std::abs(reference.largest - candidate.largest),
                                std::abs(reference.mean - candidate.mean),
                                std::abs(reference.norm - candidate.norm)});
  for (std::size_t i = 0; i < reference.samples.size(); ++i)
    difference = std::max(
        difference, static_cast<double>(std::abs(reference.samples[i] - candidate.samples[i])));
  if (difference == 0) return 0;
  return reference.largest > 0 ? difference / reference.largest : nothing_alike;
}

} // namespace model_validator::verify
