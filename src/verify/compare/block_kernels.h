#pragma once

#include "verify/compare/moments.h"
#include "verify/compare/simd.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// One rule of closeness in the form the kernel wants: a weight of 0 or 1 picks the denominator.
struct Bound {
  double atol = 0;
  double reference_rtol = 0;
  double candidate_rtol = 0;
};
inline constexpr std::size_t max_bounds = 2;
using Bounds = std::array<Bound, max_bounds>;

/// What one sweep over a block of finite elements tells.
struct BlockSums {
  double a = 0;
  double b = 0;
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
  std::array<std::int64_t, max_bounds> violations{};
};

/// @param count  at least 1; all elements finite
BlockSums sum_block(const Block& block, std::size_t count, const Bounds& bounds);

/// The centred moments, given the sums of the same block.
Moments centre_block(const Block& block, std::size_t count, double sum_a, double sum_b);

/// The two kernels for one width of vector registers.
struct Kernels {
  BlockSums (*sum)(const Block&, std::size_t, const Bounds&);
  Moments (*centre)(const Block&, std::size_t, double, double);
};

/// Those that this machine can run, the widest first: `sum_block` and `centre_block` use that one.
std::vector<Kernels> available_kernels();

/// Σ d²
double sum_squares(const Block& block, std::size_t count);

/// Adds up both sides, for `centre_block`.
void sum_sides(const Block& block, std::size_t count, double& a, double& b);

} // namespace model_validator::verify
