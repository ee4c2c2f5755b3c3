#pragma once

#include "verify/backends/openvino_stored.h"

#include <optional>
#include <vector>

namespace model_validator::verify {

/// A bias that makes up for what rounding does to the average of a layer's results.
struct MovedBias {
  std::size_t constant = 0; ///< a layer
  at::Tensor numbers;
  at::Tensor steps; ///< of each, how far rounding may move it
};

/// What NNCF moves in a model besides rounding it.
class MovedLayers {
public:
  /// @param ir, numbers  outlive it, as all of them do
  /// @param readers      by layer, those that read it
  /// @param is_stored    by layer, whether it is computed from constants alone
  MovedLayers(const OpenVinoIr& ir, const IrNumbers& numbers,
              const std::vector<std::vector<std::size_t>>& readers,
              const std::vector<bool>& is_stored)
      : ir_(ir), numbers_(numbers), readers_(readers), is_stored_(is_stored) {}

  /// What a matrix was divided by, column by column, and its operand is multiplied by, so that both
  /// have values of like sizes; 1 where nothing was.
  at::Tensor factor_at(std::size_t layer) const;
  /// None where the layer's operand is not rounded, or nothing stored is added to its results.
  std::optional<MovedBias> bias_of(std::size_t layer, const StoredIrNumbers& weight) const;

private:
  std::optional<std::size_t> rounding_before(std::size_t layer) const;
  double range_of(std::size_t rounding) const;
  std::optional<std::size_t> added_to(std::size_t layer) const;

  const OpenVinoIr& ir_;
  const IrNumbers& numbers_;
  const std::vector<std::vector<std::size_t>>& readers_;
  const std::vector<bool>& is_stored_;
};

} // namespace model_validator::verify
