#include "verify/compare/block_kernels.h"

#include "verify/compare/float_formats.h"
#include "verify/compare/pair_sweep.h"
#include "verify/compare/rank_sweep.h"

// This file is compiled for finite numbers: NaN and infinity are detected by their bits.

namespace model_validator::verify {

namespace {

template <class T> struct BitsOf;
template <> struct BitsOf<float> {
  using type = std::int32_t;
  static constexpr type infinity = 0x7f800000;
};
template <> struct BitsOf<double> {
  using type = std::int64_t;
  static constexpr type infinity = 0x7ff0000000000000;
};

struct Float16 {
  static constexpr std::int16_t infinity = 0x7c00;
  MODEL_VALIDATOR_INLINE static float widen(std::uint16_t bits) { return widen_float16(bits); }
};
struct Bfloat16 {
  static constexpr std::int16_t infinity = 0x7f80;
  MODEL_VALIDATOR_INLINE static float widen(std::uint16_t bits) { return widen_bfloat16(bits); }
};

template <class Int> MODEL_VALIDATOR_INLINE bool finite(const Ranks<Int>& ranks, Int infinity) {
  const Int least = static_cast<Int>(-infinity);
  return ranks.min_a > least && ranks.max_a < infinity && ranks.min_b > least &&
         ranks.max_b < infinity;
}

/// @param value  the number that has a rank
template <class Int, class Value>
MODEL_VALIDATOR_INLINE void take_ranks(const Ranks<Int>& ranks, Value value, BlockSums& sums) {
  sums.min_a = value(ranks.min_a);
  sums.max_a = value(ranks.max_a);
  sums.min_b = value(ranks.min_b);
  sums.max_b = value(ranks.max_b);
  sums.unequal = ranks.unequal;
  sums.zero_a = ranks.zero_a;
  sums.zero_a_mismatch = ranks.zero_a_mismatch;
  sums.max_ulp = ranks.max_distance;
}

template <class T> double value_of_rank(typename BitsOf<T>::type rank) {
  return static_cast<double>(__builtin_bit_cast(T, bits_of_rank(rank)));
}

template <class Half> double value_of_half_rank(std::int16_t rank) {
  return static_cast<double>(Half::widen(static_cast<std::uint16_t>(bits_of_rank(rank))));
}

/// @tparam N  float64 numbers in a vector register
template <std::size_t N>
MODEL_VALIDATOR_INLINE BlockSums sum_wide(const Block& block, std::size_t count,
                                          const Bounds& bounds) {
  BlockSums sums;
  const auto* a = reinterpret_cast<const Unaligned<std::int64_t>*>(block.a);
  const auto* b = reinterpret_cast<const Unaligned<std::int64_t>*>(block.b);
  take_ranks(rank_block<std::int64_t, N>(a, b, count), value_of_rank<double>, sums);
  sums.max_ulp = 0;
  sums.unequal = 0; // 64-bit integers that differ may be equal as float64
  for (std::size_t i = 0; i < count; ++i) sums.unequal += block.d[i] != 0 ? 1 : 0;
  sum_pairs<double, N, Differences::given>({block.a, block.b, count, block.d}, bounds, sums);
  return sums;
}

template <class T, std::size_t N>
MODEL_VALIDATOR_INLINE std::optional<BlockSums> sum_floats(const RawPair& pair,
                                                           const Bounds& bounds) {
  using Int = typename BitsOf<T>::type;
  constexpr std::size_t lanes = N * sizeof(double) / sizeof(T);
  const auto* a = static_cast<const Unaligned<Int>*>(pair.a);
  const auto* b = static_cast<const Unaligned<Int>*>(pair.b);
  const Ranks<Int> ranks = rank_block<Int, lanes>(a, b, pair.count);
  if (!finite(ranks, BitsOf<T>::infinity)) return std::nullopt;
  BlockSums sums;
  take_ranks(ranks, value_of_rank<T>, sums);
  const auto* x = static_cast<const Unaligned<T>*>(pair.a);
  const auto* y = static_cast<const Unaligned<T>*>(pair.b);
  sum_pairs<T, N, Differences::subtracted>(
      {x, y, pair.count, nullptr, reinterpret_cast<const char*>(x + pair.count),
       reinterpret_cast<const char*>(y + pair.count), sizeof(T)},
      bounds, sums);
  return sums;
}

template <class Half, std::size_t N>
MODEL_VALIDATOR_INLINE std::optional<BlockSums> sum_halves(const RawPair& pair,
                                                           const Bounds& bounds) {
  constexpr std::size_t lanes = N * sizeof(double) / sizeof(std::int16_t);
  const auto* a = static_cast<const Unaligned<std::int16_t>*>(pair.a);
  const auto* b = static_cast<const Unaligned<std::int16_t>*>(pair.b);
  const Ranks<std::int16_t> ranks = rank_block<std::int16_t, lanes>(a, b, pair.count);
  if (!finite(ranks, Half::infinity)) return std::nullopt;
  BlockSums sums;
  take_ranks(ranks, value_of_half_rank<Half>, sums);
  alignas(64) float x[block_elements], y[block_elements];
  for (std::size_t i = 0; i < pair.count; ++i) {
    x[i] = Half::widen(static_cast<std::uint16_t>(a[i]));
    y[i] = Half::widen(static_cast<std::uint16_t>(b[i]));
  }
  sum_pairs<float, N, Differences::subtracted>(
      {x, y, pair.count, nullptr, reinterpret_cast<const char*>(a + pair.count),
       reinterpret_cast<const char*>(b + pair.count), sizeof *a},
      bounds, sums);
  return sums;
}

/// One set of kernels for each width of vector unit, picked when the program runs: a binary for
/// every x86-64 that is fast on the newest. An attribute cannot be anything but a macro.
#define MODEL_VALIDATOR_KERNELS(NAME, LANES, TARGET)                                               \
  struct NAME {                                                                                    \
    TARGET static BlockSums block(const Block& block, std::size_t count, const Bounds& bounds) {   \
      return sum_wide<LANES>(block, count, bounds);                                                \
    }                                                                                              \
    TARGET static std::optional<BlockSums> float32(const RawPair& pair, const Bounds& bounds) {    \
      return sum_floats<float, LANES>(pair, bounds);                                               \
    }                                                                                              \
    TARGET static std::optional<BlockSums> float64(const RawPair& pair, const Bounds& bounds) {    \
      return sum_floats<double, LANES>(pair, bounds);                                              \
    }                                                                                              \
    TARGET static std::optional<BlockSums> float16(const RawPair& pair, const Bounds& bounds) {    \
      return sum_halves<Float16, LANES>(pair, bounds);                                             \
    }                                                                                              \
    TARGET static std::optional<BlockSums> bfloat16(const RawPair& pair, const Bounds& bounds) {   \
      return sum_halves<Bfloat16, LANES>(pair, bounds);                                            \
    }                                                                                              \
    static Kernels all() { return {block, float32, float64, float16, bfloat16}; }                  \
  }

MODEL_VALIDATOR_KERNELS(TwoLanes, 2, );
#if defined(__x86_64__)
MODEL_VALIDATOR_KERNELS(FourLanes, 4, __attribute__((target("avx2"))));
MODEL_VALIDATOR_KERNELS(
    EightLanes, 8,
    __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512"))));
#endif

bool runs_eight_lanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

const Kernels& kernels() {
  static const Kernels widest = available_kernels().front();
  return widest;
}

} // namespace

std::vector<Kernels> available_kernels() {
  std::vector<Kernels> found;
#if defined(__x86_64__)
  if (runs_eight_lanes()) found.push_back(EightLanes::all());
  if (__builtin_cpu_supports("avx2")) found.push_back(FourLanes::all());
#endif
  found.push_back(TwoLanes::all());
  return found;
}

BlockSums sum_block(const Block& block, std::size_t count, const Bounds& bounds) {
  return kernels().block(block, count, bounds);
}

SumDirectly direct_sum_of(DType dtype) {
  switch (dtype) {
  case DType::float32:
  case DType::complex64: return kernels().float32;
  case DType::float64:
  case DType::complex128: return kernels().float64;
  case DType::float16:
  case DType::complex32: return kernels().float16;
  case DType::bfloat16: return kernels().bfloat16;
  default: return nullptr;
  }
}

} // namespace model_validator::verify
