#pragma once

#include <model_validator/verify/metrics.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// Of a tensor, every value is in one of so many sums.
inline constexpr std::size_t sums_of_sketch = 1024;

/// Figures of float32 numbers, over the finite ones.
struct SketchSums {
  NonFinite non_finite;
  double largest = 0; ///< size
  double mean = 0;
  double norm = 0; ///< root mean square
  /// With signs that look random, scaled to the size of a single value: what differs anywhere
  /// differs in one of them.
  std::vector<float> with_signs;
};

SketchSums sums_over(const float* values, std::int64_t count);

} // namespace model_validator::verify
