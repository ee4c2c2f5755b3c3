#pragma once

#include <model_validator/verify/tensor_view.h>

#include <bit>
#include <cstdint>
#include <optional>

namespace model_validator::verify {

/// A binary floating-point format, as far as rounding and neighbours need it.
struct FloatFormat {
  int mantissa_bits; ///< stored ones
  int min_exponent;  ///< of the smallest normal number
};

/// The format of a floating or complex dtype's components; none for others.
std::optional<FloatFormat> float_format(DType dtype);

/// Distance from 1 to the next number; 0 for dtypes that are not floating.
double epsilon_of(DType dtype);

// The widenings are written with integers, so that compilers vectorise them.

inline float widen_float16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffU) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F; // moves the exponent's bias
  const std::uint32_t special = magnitude >= 0x0f800000U ? 0x7f800000U : 0U;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}

inline float widen_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// The value of each of the 256 patterns of a float8 dtype.
const double* float8_values(DType dtype);

} // namespace model_validator::verify
