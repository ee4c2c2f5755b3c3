#pragma once

#include "verify/compare/moments.h"
#include "verify/compare/pair_reader.h"

#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// Powers of two that bring values into the range where squares neither overflow nor vanish.
struct Scaling {
  double a = 1;
  double b = 1;
  double d = 1;
};

/// Sums of squares and products of scaled values.
struct SquareSums {
  Moments moments;
  double squares = 0; ///< Σ d²

  void merge(const SquareSums& other) {
    moments.merge(other.moments);
    squares += other.squares;
  }
};

/// Reads a chunk again, scaled, without some of its elements.
/// @param excluded  rising positions; those outside the chunk do not matter
SquareSums refine_chunk(const PairReader& reader, std::int64_t begin, std::int64_t end,
                        const Scaling& scaling, const std::vector<std::int64_t>& excluded);

/// The power of two that brings a greatest magnitude near 1.
double scale_for(double greatest);

} // namespace model_validator::verify
