#pragma once

#include <model_validator/verify/metrics.h>

#include <ATen/core/Tensor.h>

#include <limits>
#include <vector>

namespace model_validator::verify {

/// What is kept of a tensor to recognise it: some values, and figures and sums over all of them.
struct Sketch {
  c10::ScalarType dtype = c10::kFloat;
  std::vector<std::int64_t> shape; ///< without axes of size 1
  bool real_valued = false;        ///< floating-point or complex
  NonFinite non_finite;
  double largest = 0; ///< |value|, over the finite ones
  double mean = 0;
  double norm = 0; ///< root mean square
  std::vector<float> samples;
};

Sketch sketch_of(const at::Tensor& tensor);

/// A shape without axes of size 1, which compilers add and take away: LiteRT computes a convolution
/// along one axis along two.
std::vector<std::int64_t> without_single_axes(const std::vector<std::int64_t>& shape);

/// The samples that are values, without the sums over all.
std::vector<float> single_values(const Sketch& sketch);

inline constexpr double nothing_alike = std::numeric_limits<double>::infinity();

/// Largest difference seen, as part of the reference's largest value; infinite where shapes or the
/// numbers of NaN and Inf differ, and where it cannot be less than `limit`.
double distance(const Sketch& reference, const Sketch& candidate, double limit = nothing_alike);

/// How far roundings move a result. A mask or an index that depends on them has no measurable
/// noise.
double noise_between(const Sketch& reference, const Sketch& moved);

} // namespace model_validator::verify
