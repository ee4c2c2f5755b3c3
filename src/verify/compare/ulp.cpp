#include "verify/compare/ulp.h"

#include <cmath>
#include <limits>

namespace model_validator::verify {

namespace {

// Not the standard library's: a copy of those, compiled for finite numbers, could be linked in
// elsewhere.
template <class T> inline __attribute__((always_inline)) T greater(T x, T y) {
  return x > y ? x : y;
}
template <class T> inline __attribute__((always_inline)) T lesser(T x, T y) {
  return x < y ? x : y;
}

/// The place of a float32 in the row of all float32 numbers, 0 for zero.
inline __attribute__((always_inline)) std::int32_t float32_rank(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  const std::uint32_t mirrored = 0x80000000U - bits;
  return static_cast<std::int32_t>(bits >> 31 != 0 ? mirrored : bits);
}

MODEL_VALIDATOR_VECTORISED std::uint64_t max_ulp_float32(const Block& block, std::size_t count) {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t a = float32_rank(block.a[i]);
    const std::int32_t b = float32_rank(block.b[i]);
    most = greater(most, static_cast<std::uint32_t>(greater(a, b)) -
                             static_cast<std::uint32_t>(lesser(a, b)));
  }
  return most;
}

/// How a number of a narrower format is ranked while it is held as float64.
struct Ranking {
  int shift;            ///< mantissa bits that float64 has beyond the format
  std::int64_t lowest;  ///< rank of float64's own pattern for the smallest normal, less its rank
  double smallest;      ///< below it numbers are evenly spaced
  double per_subnormal; ///< 1 / spacing there
};

Ranking ranking_of(const FloatFormat& format) {
  const std::int64_t exponents = 1023 + format.min_exponent - 1;
  const bool own = format.mantissa_bits == 52; // float64's subnormals rank by their bits as well
  return {52 - format.mantissa_bits, exponents << format.mantissa_bits,
          own ? 0 : std::ldexp(1.0, format.min_exponent),
          own ? 0 : std::ldexp(1.0, format.mantissa_bits - format.min_exponent)};
}

inline __attribute__((always_inline)) std::uint64_t magnitude_rank(double x,
                                                                   const Ranking& ranking) {
  constexpr std::int64_t magnitude = std::numeric_limits<std::int64_t>::max();
  const std::int64_t bits = std::bit_cast<std::int64_t>(x) & magnitude;
  const double size = std::bit_cast<double>(bits);
  const std::int64_t normal = (bits >> ranking.shift) - ranking.lowest;
  const auto subnormal = static_cast<std::int64_t>(size * ranking.per_subnormal);
  return static_cast<std::uint64_t>(size < ranking.smallest ? subnormal : normal);
}

} // namespace

MODEL_VALIDATOR_VECTORISED std::uint64_t max_ulp(const Block& block, std::size_t count,
                                                 const FloatFormat& format) {
  if (format.mantissa_bits == 23) return max_ulp_float32(block, count);
  const Ranking ranking = ranking_of(format);
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t a = magnitude_rank(block.a[i], ranking);
    const std::uint64_t b = magnitude_rank(block.b[i], ranking);
    const bool same_sign = (block.a[i] < 0) == (block.b[i] < 0);
    most = greater(most, same_sign ? greater(a, b) - lesser(a, b) : a + b);
  }
  return most;
}

} // namespace model_validator::verify
