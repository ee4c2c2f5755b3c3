#pragma once

#include <cmath>
#include <cstdint>

namespace model_validator::verify {

/// Smaller whole numbers among a model's weights and constants are flags, labels and sentinels,
/// which are exact: masks compare them. Larger ones are whole because floats of their size are.
inline constexpr double least_inexact_whole = 1 << 20;

/// So are multiples of 1/256 below 256, of which few lie among random numbers of float32: bounds,
/// and what was put right on them.
inline constexpr double exact_parts = 256, least_inexact_part = 256;

inline bool is_exact(double number) {
  const auto is_whole = [](double size) {
    return size == static_cast<double>(static_cast<std::int64_t>(size));
  };
  const double size = std::fabs(number);
  return size < least_inexact_whole && is_whole(size * exact_parts) &&
         (size < least_inexact_part || is_whole(size));
}

} // namespace model_validator::verify
