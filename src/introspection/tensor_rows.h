#pragma once

#include "introspection/tensor_difference.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// Of rows, in all searches for the tensors of a few ops.
inline constexpr std::size_t max_compared_numbers = std::size_t{1} << 28U;

/// A tensor of the candidate, row by row. Optimisers join tensors below one another, and formats
/// order the gates of a layer and the heads of attention each in its own way; rows stay.
class TensorRows {
public:
  /// Which of its rows stand for those of a tensor, in the order of that one.
  using Rows = std::vector<std::size_t>;

  /// @param length  of a row
  /// @param numbers_left  that may be compared; where none is left, nothing is found
  TensorRows(TensorNumbers whole, std::size_t length, std::size_t& numbers_left);

  std::size_t count() const { return used_.size(); }
  /// None where fewer than half of the rows are there.
  std::optional<Rows> find(const TensorNumbers& numbers) const;
  /// The same, where only those that follow one another may stand for them.
  std::optional<Rows> find_in_order(const TensorNumbers& numbers) const;
  /// All that stand for nothing yet, where they are as many.
  std::optional<Rows> rest(const TensorNumbers& own) const;

  /// As a tensor of its own. Each row stands for one row alone.
  TensorNumbers take(const Rows& rows, const std::vector<std::uint64_t>& shape);

private:
  struct OwnRows {
    const TensorNumbers& numbers;
    double greatest;
  };
  void count_read(std::size_t numbers) const;
  std::size_t differing(const OwnRows& own, std::size_t row, std::size_t other,
                        std::size_t least) const;
  std::size_t equal_row(const OwnRows& own, std::size_t row, std::size_t first,
                        const std::vector<bool>& used) const;
  Rows equal_rows(const OwnRows& own) const;
  std::size_t nearest(const OwnRows& own, std::size_t row, const std::vector<bool>& used) const;
  void add_missing(const OwnRows& own, Rows& rows) const;

  TensorNumbers whole_;
  std::size_t length_;
  std::vector<bool> used_;
  std::size_t* numbers_left_;
};

/// Rows that follow one another.
TensorRows::Rows range(std::size_t first, std::size_t count);

/// In the order of the tensor, where they are rows that follow one another; else as they are.
TensorRows::Rows in_order_of_range(const TensorRows::Rows& rows);

/// `8:16`, where rows are such a part of as many; empty where they are all, or lie apart.
std::string part_in_words(const TensorRows::Rows& rows, std::size_t count);

} // namespace model_validator
