#pragma once

#include "verify/compare/block_kernels.h"
#include "verify/compare/float_formats.h"
#include "verify/compare/non_finite.h"
#include "verify/compare/pair_reader.h"
#include "verify/compare/worst_elements.h"

#include <model_validator/verify/metrics.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace model_validator::verify {

/// What the pass watches for.
struct PassOptions {
  Bounds bounds;
  SumDirectly sum_directly = nullptr; ///< where both sides have a dtype that it is for
  std::optional<FloatFormat> ulp_format;
  std::size_t worst = 0;
  std::size_t extremes = 0; ///< how many of the smallest and of the largest reference values
  bool histogram = false;
};

/// The sums over one chunk of consecutive positions.
struct ChunkSums {
  BlockSums sums;
  NonFiniteCounts non_finite;

  std::int64_t finite() const { return static_cast<std::int64_t>(sums.moments.count); }
  void merge(const ChunkSums& other);
};

/// The single elements that one thread has seen.
struct Watch {
  explicit Watch(const PassOptions& options);
  void merge(const Watch& other);

  WorstElements worst;
  WorstElements largest;  ///< by reference value
  WorstElements smallest; ///< by negated reference value
  std::vector<PlacedElement> non_finite;
  std::optional<Histogram> histogram;
};

/// Reads a chunk once and measures all.
ChunkSums sum_chunk(const PairReader& reader, const PassOptions& options, std::int64_t begin,
                    std::int64_t end, Watch& watch);

} // namespace model_validator::verify
