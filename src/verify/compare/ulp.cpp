#include "verify/compare/ulp.h"

#include "verify/compare/lanes.h"

#include <cmath>
#include <limits>

namespace model_validator::verify {

namespace {

/// The place of a float32 among all float32 numbers in order, 0 for zero.
MODEL_VALIDATOR_INLINE std::int32_t float32_rank(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  const std::uint32_t mirrored = 0x80000000U - bits;
  return static_cast<std::int32_t>(bits >> 31 != 0 ? mirrored : bits);
}

/// @param scale  a power of two that the numbers are multiplied by first
MODEL_VALIDATOR_VECTORISED std::uint32_t max_ulp_float32(const Block& block, std::size_t count,
                                                         double scale) {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t a = float32_rank(block.a[i] * scale);
    const std::int32_t b = float32_rank(block.b[i] * scale);
    most = larger(most, static_cast<std::uint32_t>(larger(a, b)) -
                            static_cast<std::uint32_t>(smaller(a, b)));
  }
  return most;
}

MODEL_VALIDATOR_INLINE std::uint64_t float64_rank(double size) {
  return std::bit_cast<std::uint64_t>(size) & std::numeric_limits<std::int64_t>::max();
}

MODEL_VALIDATOR_VECTORISED std::uint64_t max_ulp_float64(const Block& block, std::size_t count) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t a = float64_rank(block.a[i]);
    const std::uint64_t b = float64_rank(block.b[i]);
    const bool same_sign = (block.a[i] < 0) == (block.b[i] < 0);
    most = larger(most, same_sign ? larger(a, b) - smaller(a, b) : a + b);
  }
  return most;
}

} // namespace

std::uint64_t max_ulp(const Block& block, std::size_t count, const FloatFormat& format) {
  constexpr FloatFormat float32{23, -126};
  const int shift = float32.mantissa_bits - format.mantissa_bits;
  if (shift < 0) return max_ulp_float64(block, count);
  // Moved to where float32's exponents begin, numbers of a narrower format are float32 numbers
  // whose last bits are zero: neighbours are a power of two apart.
  const double scale = std::ldexp(1.0, float32.min_exponent - format.min_exponent);
  return max_ulp_float32(block, count, scale) >> shift;
}

} // namespace model_validator::verify
