#pragma once

#include "verify/compare/pair_reader.h"

#include <model_validator/verify/metrics.h>

#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// Groups the elements of a pair by their scale, chunk by chunk.
class ScaleSweep {
public:
  explicit ScaleSweep(const PairReader& reader);

  /// Reads the positions [begin, end).
  void add(std::int64_t begin, std::int64_t end);

  ScaleProfile profile;

private:
  void add_block(const Block& block, std::int64_t position, std::int64_t count);
  ScaleGroup add_row(const Block& block, std::int64_t from, std::int64_t count,
                     std::int64_t position);

  const PairReader* reader_;
  std::vector<PairLayout::Axis> axes_; ///< those longer than one, slowest first
};

} // namespace model_validator::verify
