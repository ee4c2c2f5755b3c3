#pragma once

#include "verify/compare/block_kernels.h"
#include "verify/compare/layout.h"
#include "verify/compare/load.h"

#include <model_validator/verify/tensor_view.h>

#include <cstdint>
#include <optional>

namespace model_validator::verify {

/// Reads a pair of tensors block by block, whatever their dtypes and strides.
class PairReader {
public:
  /// @throws std::invalid_argument where the two cannot be compared element by element
  PairReader(const TensorView& reference, const TensorView& candidate);

  const PairLayout& layout() const { return layout_; }

  /// Elements that are adjacent in memory on both sides; nothing where they are not.
  std::optional<RawPair> straight_run(std::int64_t position, std::size_t count) const;

  /// Fills `count` elements from a position on, with their differences.
  /// @returns whether all of them are finite
  bool read(std::int64_t position, std::size_t count, Block& block) const;

private:
  PairLayout layout_;
  const unsigned char* a_;
  const unsigned char* b_;
  std::int64_t a_size_; ///< bytes of a real number
  std::int64_t b_size_;
  Load load_a_;
  Load load_b_;
  SubtractExactly subtract_exactly_;
};

} // namespace model_validator::verify
