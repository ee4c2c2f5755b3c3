#pragma once

#include "verify/compare/pass.h"
#include "verify/compare/refine.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// A pair of tensors cut into chunks of consecutive positions, which threads share. The cut, and so
/// the order in which sums are merged, depends on the size alone.
class ChunkedPair {
public:
  /// @param threads  0: one for every core
  ChunkedPair(const TensorView& reference, const TensorView& candidate, unsigned threads);

  std::int64_t size() const { return size_; }
  const PairLayout& layout() const { return reader_.layout(); }

  /// Reads the pair once. @returns the sums of each chunk
  std::vector<ChunkSums> sum(const PassOptions& options, Watch& watch) const;

  /// Reads the pair again, scaled.
  std::vector<SquareSums> refine(const Scaling& scaling) const;

  /// Reads the pair once, grouped by scale.
  ScaleProfile profile() const;

  /// Merges the chunks' sums without some elements: only their chunks are read again.
  SquareSums merge_without(const std::vector<PlacedElement>& elements,
                           const std::vector<SquareSums>& chunks, const Scaling& scaling) const;

private:
  std::int64_t chunks() const { return (size_ + chunk_ - 1) / chunk_; }
  std::int64_t begin(std::int64_t chunk) const { return chunk * chunk_; }
  std::int64_t end(std::int64_t chunk) const { return std::min(size_, (chunk + 1) * chunk_); }
  std::vector<std::int64_t> positions_of(const std::vector<PlacedElement>& elements) const;

  PairReader reader_;
  std::int64_t size_;
  std::int64_t chunk_;
  unsigned threads_;
};

} // namespace model_validator::verify
