#pragma once

#include "verify/compare/lanes.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace model_validator::verify {

/// Statistics from the bits of floating-point numbers. The rank of a number is its place among all
/// numbers of its format in order, 0 for both zeros: ranks are in the order of the numbers, and
/// neighbours are one apart. Non-finite numbers have the outermost ranks.
template <class Int> struct Ranks {
  Int min_a{}, max_a{}, min_b{}, max_b{};
  std::make_unsigned_t<Int> max_distance{};
  std::int64_t unequal = 0;
  std::int64_t zero_a = 0;          ///< a = 0
  std::int64_t zero_a_mismatch = 0; ///< a = 0, b ≠ 0
};

/// The bits of the number that has a rank.
template <class Int> Int bits_of_rank(Int rank) {
  return rank < 0 ? static_cast<Int>(std::numeric_limits<Int>::min() - rank) : rank;
}

/// The ranks of N interleaved parts of a block.
template <class Int, std::size_t N> struct RankSweep {
  using Signed = Lanes<Int, N>;
  using Unsigned = Lanes<std::make_unsigned_t<Int>, N>;

  Signed min_a, max_a, min_b, max_b;
  Unsigned max_distance{};
  Signed unequal{}, zero_a{}, zero_a_mismatch{}; // a true comparison is −1

  MODEL_VALIDATOR_INLINE static Signed ranks(const Unaligned<Int>* from) {
    const Signed bits = load_lanes<Int, N>(from);
    const Unsigned lowest = Unsigned{} + (std::make_unsigned_t<Int>{1} << (8 * sizeof(Int) - 1));
    const Unsigned mirrored = lowest - __builtin_convertvector(bits, Unsigned);
    return bits < 0 ? __builtin_convertvector(mirrored, Signed) : bits;
  }

  MODEL_VALIDATOR_INLINE RankSweep(const Unaligned<Int>* a, const Unaligned<Int>* b)
      : min_a(ranks(a)), max_a(min_a), min_b(ranks(b)), max_b(min_b) {}

  MODEL_VALIDATOR_INLINE void add(const Unaligned<Int>* a, const Unaligned<Int>* b) {
    const Signed x = ranks(a), y = ranks(b);
    min_a = smaller(min_a, x);
    max_a = larger(max_a, x);
    min_b = smaller(min_b, y);
    max_b = larger(max_b, y);
    max_distance = larger(max_distance, __builtin_convertvector(larger(x, y), Unsigned) -
                                            __builtin_convertvector(smaller(x, y), Unsigned));
    const Signed differs = x != y, zero = x == 0;
    unequal += differs;
    zero_a += zero;
    zero_a_mismatch += differs & zero;
  }

  MODEL_VALIDATOR_INLINE void add_to(Ranks<Int>& total) const {
    for (std::size_t i = 0; i < N; ++i) {
      total.min_a = smaller<Int>(total.min_a, min_a[i]);
      total.max_a = larger<Int>(total.max_a, max_a[i]);
      total.min_b = smaller<Int>(total.min_b, min_b[i]);
      total.max_b = larger<Int>(total.max_b, max_b[i]);
      total.max_distance = larger<std::make_unsigned_t<Int>>(total.max_distance, max_distance[i]);
      total.unequal -= unequal[i];
      total.zero_a -= zero_a[i];
      total.zero_a_mismatch -= zero_a_mismatch[i];
    }
  }
};

/// @tparam Int  as wide as the format
/// @param count  at least 1, at most what lanes of Int can count
template <class Int, std::size_t N>
MODEL_VALIDATOR_INLINE Ranks<Int> rank_block(const Unaligned<Int>* a, const Unaligned<Int>* b,
                                             std::size_t count) {
  Ranks<Int> total;
  const RankSweep<Int, 1> first(a, b);
  total.min_a = total.max_a = first.min_a[0];
  total.min_b = total.max_b = first.min_b[0];
  const std::size_t full = count - count % N;
  if (full != 0) {
    RankSweep<Int, N> wide(a, b);
    for (std::size_t i = 0; i < full; i += N) wide.add(a + i, b + i);
    wide.add_to(total);
  }
  for (std::size_t i = full; i < count; ++i) {
    RankSweep<Int, 1> single(a + i, b + i);
    single.add(a + i, b + i);
    single.add_to(total);
  }
  return total;
}

} // namespace model_validator::verify
