#pragma once

#include "verify/compare/block_kernels.h"
#include "verify/compare/lanes.h"

#include <cstddef>
#include <cstdint>

namespace model_validator::verify {

/// A block of finite elements of a pair, T float or double.
template <class T> struct Pairs {
  const Unaligned<T>* a;
  const Unaligned<T>* b;
  std::size_t count;
  const double* d = nullptr; ///< differences; where there are none, they are b − a
  /// Where the next block lies, to be fetched while this one is computed with.
  const char* next_a = nullptr;
  const char* next_b = nullptr;
  std::size_t element_size = 0;
};

/// The sums of a block, and the remainders that correct the means.
struct Totals {
  BlockSums& sums;
  double rest_a = 0;
  double rest_b = 0;
};

/// Which rules are counted: a single rule needs no weight for the denominator that it does not use.
enum class Counted { nothing, one_of_reference, one_of_candidate, two };

inline Counted counted_of(const Bounds& bounds) {
  if (bounds.count == 0) return Counted::nothing;
  if (bounds.count > 1) return Counted::two;
  return bounds.rules[0].candidate_rtol == 0 ? Counted::one_of_reference
                                             : Counted::one_of_candidate;
}

/// Sums over N interleaved parts of a block, centred on the means.
template <std::size_t N> struct PairSweep {
  using Reals = Lanes<double, N>;
  Reals abs{}, squares{}, max_abs{}, rel{}, max_rel{};
  Reals rest_a{}, rest_b{}, aa{}, bb{}, ab{};
  Lanes<std::int64_t, N> violations[max_bounds]{}; ///< a true comparison is −1

  MODEL_VALIDATOR_INLINE static Reals magnitude(Reals x) { return x < 0 ? -x : x; }

  template <Counted counted>
  MODEL_VALIDATOR_INLINE void add(Reals x, Reals y, Reals d, double mean_a, double mean_b,
                                  const Bound* bounds) {
    const Reals error = magnitude(d), size = magnitude(x);
    abs += error;
    squares += error * error;
    max_abs = larger(max_abs, error);
    const Reals relative = size == 0 ? Reals{} : error / size;
    rel += relative;
    max_rel = larger(max_rel, relative);
    if constexpr (counted == Counted::one_of_reference)
      violations[0] += error > bounds->atol + bounds->reference_rtol * size;
    if constexpr (counted == Counted::one_of_candidate)
      violations[0] += error > bounds->atol + bounds->candidate_rtol * magnitude(y);
    if constexpr (counted == Counted::two)
      for (std::size_t i = 0; i < max_bounds; ++i)
        violations[i] += error > bounds[i].atol + bounds[i].reference_rtol * size +
                                     bounds[i].candidate_rtol * magnitude(y);
    x -= mean_a;
    y -= mean_b;
    rest_a += x;
    rest_b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }

  MODEL_VALIDATOR_INLINE void add_to(Totals& totals) const {
    BlockSums& sums = totals.sums;
    std::int64_t* violated = sums.violations.data();
    for (std::size_t i = 0; i < N; ++i) {
      sums.abs += abs[i];
      sums.squares += squares[i];
      sums.rel += rel[i];
      sums.max_abs = larger<double>(sums.max_abs, max_abs[i]);
      sums.max_rel = larger<double>(sums.max_rel, max_rel[i]);
      totals.rest_a += rest_a[i];
      totals.rest_b += rest_b[i];
      sums.moments.aa += aa[i];
      sums.moments.bb += bb[i];
      sums.moments.ab += ab[i];
      for (std::size_t k = 0; k < max_bounds; ++k) violated[k] -= violations[k][i];
    }
  }
};

template <class T, std::size_t N>
MODEL_VALIDATOR_INLINE Lanes<double, N> reals_at(const Unaligned<T>* from) {
  Lanes<double, N> lanes; // one instruction, where GCC makes three of its own conversion
  for (std::size_t i = 0; i < N; ++i) lanes[i] = static_cast<double>(from[i]);
  return lanes;
}

/// @tparam T  added up in this type, lane by lane
template <class T, std::size_t N>
MODEL_VALIDATOR_INLINE double sum_of(const Unaligned<T>* from, std::size_t count) {
  Lanes<T, N> first{}, second{};
  std::size_t i = 0;
  for (; i + 2 * N <= count; i += 2 * N) {
    first += load_lanes<T, N>(from + i);
    second += load_lanes<T, N>(from + i + N);
  }
  double sum = 0;
  for (std::size_t lane = 0; lane < N; ++lane)
    sum += static_cast<double>(first[lane]) + static_cast<double>(second[lane]);
  for (; i < count; ++i) sum += static_cast<double>(from[i]);
  return sum;
}

/// What the elements of a side are centred on. It need not be their mean to the last digit: the
/// remainder is summed up while they are centred. A vector register holds so many float32 numbers
/// that they are added without widening, unless that would leave their range.
template <class T, std::size_t N>
MODEL_VALIDATOR_INLINE double centre_of(const Unaligned<T>* from, std::size_t count, double least,
                                        double greatest) {
  const double n = static_cast<double>(count);
  constexpr double safe = 1e34;
  constexpr bool narrow = sizeof(T) < sizeof(double);
  if (!narrow || (least > -safe && greatest < safe))
    return sum_of<T, N * sizeof(double) / sizeof(T)>(from, count) / n;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(from[i]);
  return sum / n;
}

/// Differences are the given ones, or b − a.
enum class Differences { given, subtracted };

template <class T, std::size_t N, Differences from, Counted counted>
MODEL_VALIDATOR_INLINE void sweep(const Pairs<T>& pairs, std::size_t begin, std::size_t end,
                                  const Bound* bounds, Totals& totals) {
  const double mean_a = totals.sums.moments.mean_a.high, mean_b = totals.sums.moments.mean_b.high;
  PairSweep<N> state;
  for (std::size_t i = begin; i < end; i += N) {
    const Lanes<double, N> x = reals_at<T, N>(pairs.a + i), y = reals_at<T, N>(pairs.b + i);
    if constexpr (from == Differences::given) {
      state.template add<counted>(x, y, load_lanes<double, N>(pairs.d + i), mean_a, mean_b, bounds);
    } else {
      __builtin_prefetch(pairs.next_a + i * pairs.element_size);
      __builtin_prefetch(pairs.next_b + i * pairs.element_size);
      state.template add<counted>(x, y, y - x, mean_a, mean_b, bounds);
    }
  }
  state.add_to(totals);
}

template <class T, std::size_t N, Differences from, Counted counted>
MODEL_VALIDATOR_INLINE void sweep_all(const Pairs<T>& pairs, const Bounds& bounds, Totals& totals) {
  const std::size_t full = pairs.count - pairs.count % N;
  sweep<T, N, from, counted>(pairs, 0, full, bounds.rules.data(), totals);
  sweep<T, 1, from, counted>(pairs, full, pairs.count, bounds.rules.data(), totals);
}

/// Fills the sums and the centred moments.
/// @param sums  knows the least and the greatest elements
template <class T, std::size_t N, Differences from>
MODEL_VALIDATOR_INLINE void sum_pairs(const Pairs<T>& pairs, const Bounds& bounds,
                                      BlockSums& sums) {
  const double n = static_cast<double>(pairs.count);
  Moments& moments = sums.moments;
  moments.count = n;
  moments.mean_a.high = centre_of<T, N>(pairs.a, pairs.count, sums.min_a, sums.max_a);
  moments.mean_b.high = centre_of<T, N>(pairs.b, pairs.count, sums.min_b, sums.max_b);
  Totals totals{sums};
  switch (counted_of(bounds)) {
  case Counted::nothing: sweep_all<T, N, from, Counted::nothing>(pairs, bounds, totals); break;
  case Counted::one_of_reference:
    sweep_all<T, N, from, Counted::one_of_reference>(pairs, bounds, totals);
    break;
  case Counted::one_of_candidate:
    sweep_all<T, N, from, Counted::one_of_candidate>(pairs, bounds, totals);
    break;
  case Counted::two: sweep_all<T, N, from, Counted::two>(pairs, bounds, totals); break;
  }
  moments.aa = larger<double>(0, moments.aa - totals.rest_a * totals.rest_a / n);
  moments.bb = larger<double>(0, moments.bb - totals.rest_b * totals.rest_b / n);
  moments.ab -= totals.rest_a * totals.rest_b / n;
  moments.mean_a.add(totals.rest_a / n);
  moments.mean_b.add(totals.rest_b / n);
}

} // namespace model_validator::verify
