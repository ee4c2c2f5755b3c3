#include "verify/compare/block_kernels.h"

#include "verify/compare/lanes.h"

// This file is compiled for finite numbers: blocks that hold NaN or infinity are cleaned before.

namespace model_validator::verify {

namespace {

#define MODEL_VALIDATOR_INLINE inline __attribute__((always_inline))

// Not the standard library's: a copy of those, compiled for finite numbers, could be linked in
// elsewhere.
MODEL_VALIDATOR_INLINE double greater(double x, double y) { return x > y ? x : y; }
MODEL_VALIDATOR_INLINE double lesser(double x, double y) { return x < y ? x : y; }

/// The sums of N interleaved parts of a block.
template <std::size_t N> struct Sweep {
  using Reals = typename LanesOf<N>::Reals;
  using Integers = typename LanesOf<N>::Integers;

  Reals a{}, b{}, abs{}, squares{}, rel{}, max_abs{}, max_rel{};
  Reals min_a, max_a, min_b, max_b;
  Integers equal{}, zero_a{}, zero_a_equal{}, violations[max_bounds]{};

  MODEL_VALIDATOR_INLINE static Reals at(const double* p) {
    return *reinterpret_cast<const Reals*>(p);
  }
  MODEL_VALIDATOR_INLINE static Reals magnitude(Reals x) { return x < 0 ? -x : x; }
  MODEL_VALIDATOR_INLINE static Reals larger(Reals x, Reals y) { return x > y ? x : y; }
  MODEL_VALIDATOR_INLINE static Reals smaller(Reals x, Reals y) { return x < y ? x : y; }

  MODEL_VALIDATOR_INLINE void start(const double* first_a, const double* first_b) {
    min_a = max_a = at(first_a);
    min_b = max_b = at(first_b);
  }

  MODEL_VALIDATOR_INLINE void add(const double* pa, const double* pb, const double* pd,
                                  const Bound* bounds) {
    const Reals x = at(pa), y = at(pb), difference = at(pd);
    const Reals error = magnitude(difference), size = magnitude(x);
    a += x;
    b += y;
    abs += error;
    squares += error * error;
    max_abs = larger(max_abs, error);
    min_a = smaller(min_a, x);
    max_a = larger(max_a, x);
    min_b = smaller(min_b, y);
    max_b = larger(max_b, y);
    add_relative(error, size);
    for (std::size_t i = 0; i < max_bounds; ++i)
      violations[i] += error > bounds[i].atol + bounds[i].reference_rtol * size +
                                   bounds[i].candidate_rtol * magnitude(y);
  }

  MODEL_VALIDATOR_INLINE void add_relative(Reals error, Reals size) {
    const Integers no_size = size == 0, no_error = error == 0;
    const Reals relative = no_size ? Reals{} : error / size;
    rel += relative;
    max_rel = larger(max_rel, relative);
    equal += no_error;
    zero_a += no_size;
    zero_a_equal += no_size & no_error;
  }

  MODEL_VALIDATOR_INLINE void add_to(BlockSums& sums, std::size_t count) const {
    std::int64_t equals = 0, zeros = 0, zeros_equal = 0;
    std::int64_t* violated = sums.violations.data();
    for (std::size_t i = 0; i < N; ++i) {
      sums.a += a[i];
      sums.b += b[i];
      sums.abs += abs[i];
      sums.squares += squares[i];
      sums.rel += rel[i];
      sums.max_abs = greater(sums.max_abs, max_abs[i]);
      sums.max_rel = greater(sums.max_rel, max_rel[i]);
      sums.min_a = lesser(sums.min_a, min_a[i]);
      sums.max_a = greater(sums.max_a, max_a[i]);
      sums.min_b = lesser(sums.min_b, min_b[i]);
      sums.max_b = greater(sums.max_b, max_b[i]);
      equals -= equal[i]; // a true comparison is −1
      zeros -= zero_a[i];
      zeros_equal -= zero_a_equal[i];
      for (std::size_t k = 0; k < max_bounds; ++k) violated[k] -= violations[k][i];
    }
    sums.unequal += static_cast<std::int64_t>(count) - equals;
    sums.zero_a += zeros;
    sums.zero_a_mismatch += zeros - zeros_equal;
  }
};

template <std::size_t N>
MODEL_VALIDATOR_INLINE void sweep(const Block& block, std::size_t begin, std::size_t end,
                                  const Bound* bounds, BlockSums& sums) {
  if (begin == end) return;
  Sweep<N> state;
  state.start(block.a + begin, block.b + begin);
  for (std::size_t i = begin; i < end; i += N)
    state.add(block.a + i, block.b + i, block.d + i, bounds);
  state.add_to(sums, end - begin);
}

template <std::size_t N>
MODEL_VALIDATOR_INLINE BlockSums sum_by(const Block& block, std::size_t count,
                                        const Bounds& bounds) {
  BlockSums sums;
  sums.min_a = sums.max_a = block.a[0];
  sums.min_b = sums.max_b = block.b[0];
  const std::size_t full = count - count % N;
  sweep<N>(block, 0, full, bounds.data(), sums);
  sweep<1>(block, full, count, bounds.data(), sums);
  return sums;
}

/// Centred sums of N interleaved parts of a block, with the remainder that corrects the means.
template <std::size_t N> struct Centred {
  using Reals = typename LanesOf<N>::Reals;
  Reals a{}, b{}, aa{}, bb{}, ab{};

  MODEL_VALIDATOR_INLINE void add(const double* pa, const double* pb, double mean_a,
                                  double mean_b) {
    const Reals x = *reinterpret_cast<const Reals*>(pa) - mean_a;
    const Reals y = *reinterpret_cast<const Reals*>(pb) - mean_b;
    a += x;
    b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }

  MODEL_VALIDATOR_INLINE void add_to(Moments& moments, double& rest_a, double& rest_b) const {
    for (std::size_t i = 0; i < N; ++i) {
      rest_a += a[i];
      rest_b += b[i];
      moments.aa += aa[i];
      moments.bb += bb[i];
      moments.ab += ab[i];
    }
  }
};

template <std::size_t N>
MODEL_VALIDATOR_INLINE Moments centre_by(const Block& block, std::size_t count, double sum_a,
                                         double sum_b) {
  const double n = static_cast<double>(count);
  Moments moments{n, {sum_a / n, 0}, {sum_b / n, 0}, 0, 0, 0};
  const double mean_a = moments.mean_a.high, mean_b = moments.mean_b.high;
  Centred<N> wide;
  std::size_t i = 0;
  for (; i + N <= count; i += N) wide.add(block.a + i, block.b + i, mean_a, mean_b);
  Centred<1> narrow;
  for (; i < count; ++i) narrow.add(block.a + i, block.b + i, mean_a, mean_b);
  double rest_a = 0, rest_b = 0;
  wide.add_to(moments, rest_a, rest_b);
  narrow.add_to(moments, rest_a, rest_b);
  moments.aa = greater(0, moments.aa - rest_a * rest_a / n);
  moments.bb = greater(0, moments.bb - rest_b * rest_b / n);
  moments.ab -= rest_a * rest_b / n;
  moments.mean_a.add(rest_a / n);
  moments.mean_b.add(rest_b / n);
  return moments;
}

BlockSums sum_two(const Block& block, std::size_t count, const Bounds& bounds) {
  return sum_by<2>(block, count, bounds);
}
Moments centre_two(const Block& block, std::size_t count, double a, double b) {
  return centre_by<2>(block, count, a, b);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) BlockSums sum_four(const Block& block, std::size_t count,
                                                   const Bounds& bounds) {
  return sum_by<4>(block, count, bounds);
}
__attribute__((target("avx2"))) Moments centre_four(const Block& block, std::size_t count, double a,
                                                    double b) {
  return centre_by<4>(block, count, a, b);
}
__attribute__((target("avx512f,avx512dq"))) BlockSums
sum_eight(const Block& block, std::size_t count, const Bounds& bounds) {
  return sum_by<8>(block, count, bounds);
}
__attribute__((target("avx512f,avx512dq"))) Moments
centre_eight(const Block& block, std::size_t count, double a, double b) {
  return centre_by<8>(block, count, a, b);
}

#endif

const Kernels& kernels() {
  static const Kernels widest = available_kernels().front();
  return widest;
}

} // namespace

std::vector<Kernels> available_kernels() {
  std::vector<Kernels> found;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    found.push_back({sum_eight, centre_eight});
  if (__builtin_cpu_supports("avx2")) found.push_back({sum_four, centre_four});
#endif
  found.push_back({sum_two, centre_two});
  return found;
}

BlockSums sum_block(const Block& block, std::size_t count, const Bounds& bounds) {
  return kernels().sum(block, count, bounds);
}

Moments centre_block(const Block& block, std::size_t count, double sum_a, double sum_b) {
  return kernels().centre(block, count, sum_a, sum_b);
}

MODEL_VALIDATOR_VECTORISED double sum_squares(const Block& block, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += block.d[i] * block.d[i];
  return sum;
}

MODEL_VALIDATOR_VECTORISED void sum_sides(const Block& block, std::size_t count, double& a,
                                          double& b) {
  double sum_a = 0, sum_b = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum_a += block.a[i];
    sum_b += block.b[i];
  }
  a = sum_a;
  b = sum_b;
}

} // namespace model_validator::verify
