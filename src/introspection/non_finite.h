#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace model_validator {

/// How many numbers are NaN or infinite.
struct NonFiniteCount {
  std::uint64_t numbers = 0; ///< a complex number counts as two
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;

  void add(const NonFiniteCount& other) {
    numbers += other.numbers;
    nan += other.nan;
    infinite += other.infinite;
  }
};

/// Whether elements of the dtype are counted: `bfloat16`, `complex64`, and no integers.
bool may_be_non_finite(std::string_view dtype);

/// Counts in the bytes of elements of such a dtype, at memory speed. For other dtypes, nothing is
/// counted.
NonFiniteCount count_non_finite(std::span<const char> bytes, std::string_view dtype);

} // namespace model_validator
