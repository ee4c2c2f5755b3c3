#pragma once

#include "verify/compare/moments.h"
#include "verify/compare/simd.h"

#include <model_validator/verify/tensor_view.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace model_validator::verify {

/// One rule of closeness in the form the kernel wants: a weight of 0 or 1 picks the denominator.
struct Bound {
  double atol = 0;
  double reference_rtol = 0;
  double candidate_rtol = 0;
};
inline constexpr std::size_t max_bounds = 2;

/// The rules whose violations are counted.
struct Bounds {
  std::array<Bound, max_bounds> rules;
  std::size_t count = 0;
};

/// The sums over a block of finite elements.
struct BlockSums {
  Moments moments;
  double abs = 0;     ///< Σ |d|
  double squares = 0; ///< Σ d²
  double rel = 0;     ///< Σ |d| / |a| where a ≠ 0
  double max_abs = 0;
  double max_rel = 0;
  double min_a = 0, max_a = 0;
  double min_b = 0, max_b = 0;
  std::int64_t unequal = 0;
  std::int64_t zero_a = 0;          ///< a = 0
  std::int64_t zero_a_mismatch = 0; ///< a = 0, d ≠ 0
  std::uint64_t max_ulp = 0;        ///< where both sides are numbers of one floating format
  std::array<std::int64_t, max_bounds> violations{};

  void merge(const BlockSums& other);
};

/// Consecutive elements of two tensors as they lie in memory, of one dtype.
struct RawPair {
  const void* a;
  const void* b;
  std::size_t count; ///< at least 1, at most block_elements
};

/// Sums up elements where they lie, without widening them to a block first.
/// @returns nothing where an element, or a difference, is not finite
using SumDirectly = std::optional<BlockSums> (*)(const RawPair& pair, const Bounds& bounds);

/// The kernels for one width of vector registers.
struct Kernels {
  /// All elements are finite. The ULP are left at 0: a block does not know its format.
  BlockSums (*block)(const Block& block, std::size_t count, const Bounds& bounds);
  SumDirectly float32;
  SumDirectly float64;
  SumDirectly float16;
  SumDirectly bfloat16;
};

/// Those that this machine can run, the widest first: the functions below use that one.
std::vector<Kernels> available_kernels();

BlockSums sum_block(const Block& block, std::size_t count, const Bounds& bounds = {});

/// Null for dtypes that are widened to a block first.
SumDirectly direct_sum_of(DType dtype);

} // namespace model_validator::verify
