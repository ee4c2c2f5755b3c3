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

/// Sums over N interleaved parts of a block, centred on the means.
template <std::size_t N> struct PairSweep {
  using Reals = Lanes<double, N>;
  Reals abs{}, squares{}, max_abs{}, rel{}, max_rel{};
  Reals rest_a{}, rest_b{}, aa{}, bb{}, ab{};
  Lanes<std::int64_t, N> violations[max_bounds]{}; ///< a true comparison is −1

  MODEL_VALIDATOR_INLINE static Reals magnitude(Reals x) { return x < 0 ? -x : x; }

  template <std::size_t B>
  MODEL_VALIDATOR_INLINE void add(Reals x, Reals y, Reals d, double mean_a, double mean_b,
                                  const Bound* bounds) {
    const Reals error = magnitude(d), size = magnitude(x);
    abs += error;
    squares += error * error;
    max_abs = larger(max_abs, error);
    const Reals relative = size == 0 ? Reals{} : error / size;
    rel += relative;
    max_rel = larger(max_rel, relative);
    for (std::size_t i = 0; i < B; ++i)
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

template <class T, std::size_t N>
MODEL_VALIDATOR_INLINE double sum_side(const Unaligned<T>* from, std::size_t count) {
  Lanes<double, N> first{}, second{};
  std::size_t i = 0;
  for (; i + 2 * N <= count; i += 2 * N) {
    first += reals_at<T, N>(from + i);
    second += reals_at<T, N>(from + i + N);
  }
  first += second;
  double sum = 0;
  for (std::size_t lane = 0; lane < N; ++lane) sum += first[lane];
  for (; i < count; ++i) sum += static_cast<double>(from[i]);
  return sum;
}

/// Differences are the given ones, or b − a.
enum class Differences { given, subtracted };

/// @tparam B  so many bounds are counted
template <class T, std::size_t N, Differences from, std::size_t B>
MODEL_VALIDATOR_INLINE void sweep(const Pairs<T>& pairs, std::size_t begin, std::size_t end,
                                  const Bound* bounds, Totals& totals) {
  const double mean_a = totals.sums.moments.mean_a.high, mean_b = totals.sums.moments.mean_b.high;
  PairSweep<N> state;
  for (std::size_t i = begin; i < end; i += N) {
    const Lanes<double, N> x = reals_at<T, N>(pairs.a + i), y = reals_at<T, N>(pairs.b + i);
    if constexpr (from == Differences::given) {
      state.template add<B>(x, y, load_lanes<double, N>(pairs.d + i), mean_a, mean_b, bounds);
    } else {
      __builtin_prefetch(pairs.next_a + i * pairs.element_size);
      __builtin_prefetch(pairs.next_b + i * pairs.element_size);
      state.template add<B>(x, y, y - x, mean_a, mean_b, bounds);
    }
  }
  state.add_to(totals);
}

template <class T, std::size_t N, Differences from, std::size_t B>
MODEL_VALIDATOR_INLINE void sweep_all(const Pairs<T>& pairs, const Bounds& bounds, Totals& totals) {
  const std::size_t full = pairs.count - pairs.count % N;
  sweep<T, N, from, B>(pairs, 0, full, bounds.rules.data(), totals);
  sweep<T, 1, from, B>(pairs, full, pairs.count, bounds.rules.data(), totals);
}

/// Fills what is summed up, and the centred moments.
template <class T, std::size_t N, Differences from>
MODEL_VALIDATOR_INLINE void sum_pairs(const Pairs<T>& pairs, const Bounds& bounds,
                                      BlockSums& sums) {
  const double n = static_cast<double>(pairs.count);
  Moments& moments = sums.moments;
  moments.count = n;
  moments.mean_a.high = sum_side<T, N>(pairs.a, pairs.count) / n;
  moments.mean_b.high = sum_side<T, N>(pairs.b, pairs.count) / n;
  Totals totals{sums};
  switch (bounds.count) {
  case 0: sweep_all<T, N, from, 0>(pairs, bounds, totals); break;
  case 1: sweep_all<T, N, from, 1>(pairs, bounds, totals); break;
  default: sweep_all<T, N, from, 2>(pairs, bounds, totals); break;
  }
  moments.aa = larger<double>(0, moments.aa - totals.rest_a * totals.rest_a / n);
  moments.bb = larger<double>(0, moments.bb - totals.rest_b * totals.rest_b / n);
  moments.ab -= totals.rest_a * totals.rest_b / n;
  moments.mean_a.add(totals.rest_a / n);
  moments.mean_b.add(totals.rest_b / n);
}

} // namespace model_validator::verify
