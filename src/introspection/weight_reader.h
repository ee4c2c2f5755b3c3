#pragma once

#include "connected_graph/stored_weights.h"
#include "introspection/byte_source.h"

#include <functional>
#include <span>
#include <vector>

namespace model_validator {

/// A part of one tensor that one thread reads.
struct WeightPiece {
  std::size_t tensor = 0;
  ByteSpan span; ///< starts at a multiple of 16 MiB from the start of one of the tensor's spans
};

/// The bytes of a piece, one window after the other.
class PieceBytes {
public:
  PieceBytes(const StoredWeights& weights, const WeightPiece& piece, ByteSource& source,
             std::span<char> window);
  /// The next bytes, a whole number of elements; empty at the end. @throws Error
  /// (`truncated-file`)
  std::span<const char> next();

private:
  ByteSource& source_;
  std::span<char> window_;
  std::uint64_t left_;
};

/// Reads tensors in pieces, on several threads, in bounded memory. What is in memory already
/// (`StoredWeights::bytes`) has no pieces.
class WeightReader {
public:
  /// @param weights  must outlive the reader
  explicit WeightReader(const std::vector<StoredWeights>& weights);

  /// All pieces, those of a tensor together and in order.
  const std::vector<WeightPiece>& pieces() const noexcept { return pieces_; }

  using Work = std::function<void(std::size_t piece, PieceBytes& bytes)>;
  /// Hands every piece to `work`, which several threads call at once.
  /// @param threads  0: one per core
  /// @throws Error (`truncated-file`, `damaged-zip`), and what `work` throws
  void run(unsigned threads, const Work& work) const;

private:
  class Threads;
  /// Pieces from `first` up to `end`, which one thread reads one after the other.
  struct Task {
    std::size_t first = 0;
    std::size_t end = 0;
  };
  void plan();

  const std::vector<StoredWeights>& weights_;
  std::vector<WeightPiece> pieces_;
  std::vector<Task> tasks_;
};

} // namespace model_validator
