#include "verify/localize/sketch_sums.h"

#include "verify/compare/simd.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace model_validator::verify {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000U, infinity_bits = 0x7f800000U;

/// Looks random.
constexpr std::uint32_t sign_at(std::uint32_t place) {
  std::uint32_t mixed = place * 0x9e3779b1U;
  mixed = (mixed ^ (mixed >> 15U)) * 0x85ebca77U;
  return (mixed ^ (mixed >> 13U)) & sign_bit;
}

using Row = std::array<double, sums_of_sketch>;

struct Totals {
  Row plain{}, squares{}, with_signs{};
  std::uint32_t largest = 0; ///< the bits of its size
};

/// @returns whether all are finite
MODEL_VALIDATOR_VECTORISED bool add_row(const float* values, std::uint32_t place, Totals& totals) {
  std::uint32_t largest = totals.largest, non_finite = 0;
  for (std::uint32_t i = 0; i < sums_of_sketch; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    const bool is_finite = (bits & ~sign_bit) < infinity_bits;
    const std::uint32_t kept = is_finite ? bits : 0;
    non_finite |= is_finite ? 0U : 1U;
    largest = std::max(largest, kept & ~sign_bit);
    const double value = std::bit_cast<float>(kept);
    totals.plain[i] += value;
    totals.squares[i] += value * value;
    totals.with_signs[i] += std::bit_cast<float>(kept ^ sign_at(place + i));
  }
  totals.largest = largest;
  return non_finite == 0;
}

void count_non_finite(const float* values, std::size_t count, NonFinite& found) {
  for (std::size_t i = 0; i < count; ++i)
    if (std::isnan(values[i]))
      ++found.nan;
    else if (std::isinf(values[i]))
      ++(values[i] > 0 ? found.positive_infinity : found.negative_infinity);
}

double sum(const Row& totals) { return std::accumulate(totals.begin(), totals.end(), 0.0); }

SketchSums figures_of(const Totals& totals, std::int64_t count, const NonFinite& non_finite) {
  SketchSums found{non_finite, std::bit_cast<float>(totals.largest), 0, 0, {}};
  if (const auto finite = static_cast<double>(count - non_finite.total()); finite > 0) {
    found.mean = sum(totals.plain) / finite;
    found.norm = std::sqrt(sum(totals.squares) / finite);
  }
  const double size = std::sqrt(static_cast<double>(count) / sums_of_sketch);
  for (const double total : totals.with_signs)
    found.with_signs.push_back(static_cast<float>(total / size));
  return found;
}

} // namespace

SketchSums sums_over(const float* values, std::int64_t count) {
  Totals totals;
  NonFinite non_finite;
  const auto all = static_cast<std::size_t>(count);
  for (std::size_t place = 0; place < all; place += sums_of_sketch) {
    const std::size_t taken = std::min(all - place, sums_of_sketch);
    std::array<float, sums_of_sketch> last{};
    const float* row = values + place;
    if (taken < sums_of_sketch) {
      std::copy_n(row, taken, last.begin());
      row = last.data();
    }
    if (!add_row(row, static_cast<std::uint32_t>(place), totals))
      count_non_finite(row, taken, non_finite);
  }
  return figures_of(totals, count, non_finite);
}

} // namespace model_validator::verify
