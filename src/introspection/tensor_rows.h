#pragma once

#include "introspection/tensor_difference.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A tensor of the candidate, row by row. Optimisers join tensors below one another, and formats
/// order the gates of a layer and the heads of attention each in its own way; rows stay.
class TensorRows {
public:
  /// Which of its rows stand for those of a tensor, in the order of that one.
  using Rows = std::vector<std::size_t>;

  /// @param length  of a row
  TensorRows(TensorNumbers whole, std::size_t length);

  std::size_t count() const { return used_.size(); }
  /// None where fewer than half of the rows are there.
  std::optional<Rows> find(const TensorNumbers& own) const;
  /// All that stand for nothing yet, where they are as many.
  std::optional<Rows> rest(const TensorNumbers& own) const;

  /// As a tensor of its own. Each row stands for one row alone.
  TensorNumbers take(const Rows& rows, const std::vector<std::uint64_t>& shape);

private:
  Rows equal_rows(const TensorNumbers& own) const;
  std::size_t nearest(const TensorNumbers& own, std::size_t row,
                      const std::vector<bool>& used) const;
  void add_missing(const TensorNumbers& own, Rows& rows) const;

  TensorNumbers whole_;
  std::size_t length_;
  std::vector<bool> used_;
};

/// `8:16`, where rows are such a part of as many; empty where they are all, or lie apart.
std::string part_in_words(const TensorRows::Rows& rows, std::size_t count);

} // namespace model_validator
