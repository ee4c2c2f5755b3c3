#include "verify/compare/refine.h"

#include "verify/compare/block_kernels.h"
#include "verify/compare/non_finite.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

bool is_excluded(const std::vector<std::int64_t>& excluded, std::int64_t position) {
  return std::binary_search(excluded.begin(), excluded.end(), position);
}

bool touches(const std::vector<std::int64_t>& excluded, std::int64_t begin, std::size_t count) {
  const auto next = std::lower_bound(excluded.begin(), excluded.end(), begin);
  return next != excluded.end() && *next < begin + static_cast<std::int64_t>(count);
}

/// Removes excluded and non-finite elements. @returns how many are left
std::size_t compact(Block& block, std::size_t count, std::int64_t position,
                    const std::vector<std::int64_t>& excluded) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(block.a[i]) || !std::isfinite(block.b[i])) continue;
    if (is_excluded(excluded, position + static_cast<std::int64_t>(i))) continue;
    block.a[kept] = block.a[i];
    block.b[kept] = block.b[i];
    block.d[kept++] = block.d[i];
  }
  return kept;
}

void scale_block(Block& block, std::size_t count, const Scaling& scaling) {
  for (std::size_t i = 0; i < count; ++i) {
    // Scaled before it is subtracted where the difference itself is out of reach.
    block.d[i] = std::isfinite(block.d[i]) ? block.d[i] * scaling.d
                                           : block.b[i] * scaling.d - block.a[i] * scaling.d;
    block.a[i] *= scaling.a;
    block.b[i] *= scaling.b;
  }
}

} // namespace

SquareSums refine_chunk(const PairReader& reader, std::int64_t begin, std::int64_t end,
                        const Scaling& scaling, const std::vector<std::int64_t>& excluded) {
  SquareSums result;
  Block block;
  for (std::int64_t at = begin; at < end; at += block_elements) {
    auto count = std::min(block_elements, static_cast<std::size_t>(end - at));
    if (!reader.read(at, count, block) || touches(excluded, at, count))
      count = compact(block, count, at, excluded);
    if (count == 0) continue;
    scale_block(block, count, scaling);
    const BlockSums sums = sum_block(block, count);
    result.merge({sums.moments, sums.squares});
  }
  return result;
}

double scale_for(double greatest) {
  if (greatest == 0) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(greatest), -1000, 1000));
}

} // namespace model_validator::verify
