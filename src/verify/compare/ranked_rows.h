#pragma once

#include <model_validator/verify/tensor_view.h>

#include <optional>
#include <vector>

namespace model_validator::verify {

/// Outputs of another run, with their rows where the reference has them.
struct ReorderedRows {
  std::vector<Tensor> outputs;
  std::size_t moved = 0;    ///< rows that lay elsewhere
  std::size_t replaced = 0; ///< rows at the end that are others there; those of the reference now
};

/// Rows of the outputs of one call that are sorted by one of their columns, as TopK, sorting and
/// suppression leave boxes, scores and labels. Which of two rows comes first is decided by rounding
/// where their keys nearly tie; so is which of them is the last that is kept.
class RankedRows {
public:
  /// None where no column is sorted, or one may be by chance.
  /// @param like  of another call, whose column is sorted here as well, however few the rows are
  static std::optional<RankedRows> find(const std::vector<Tensor>& outputs,
                                        const RankedRows* like = nullptr);

  /// How far the keys of another run are off at most, place by place; none where its outputs do not
  /// have the same shapes.
  std::optional<double> change_of_keys(const std::vector<Tensor>& others) const;
  /// The output that holds the keys, and the greatest |key|.
  std::size_t output_of_keys() const noexcept { return output_of_keys_; }
  double greatest_key() const;

  /// Finds each row again among those whose keys differ by no more than `window`. All outputs
  /// change places alike. Where shapes differ, nothing does.
  ReorderedRows in_order(const std::vector<Tensor>& others, double window) const;

private:
  /// Which outputs have these rows, and what is in them.
  struct Table {
    std::vector<std::size_t> outputs;
    std::size_t lists = 0, rows = 0, columns = 0;
    std::vector<double> cells;  ///< list by list, row by row
    std::vector<double> scales; ///< of each column; 0: whole numbers, which are equal or not
    void fill(const TensorView& view);
    double cell(std::size_t row, std::size_t column) const { return cells[row * columns + column]; }
  };
  static std::optional<Table> table_of(const std::vector<Tensor>& outputs, std::size_t like,
                                       std::size_t axis);
  static bool is_sorted(const Table& table, std::size_t column);
  static double log_chance_of_sorted(const Table& table, std::size_t column);
  static std::optional<std::size_t> sorted_column(const Table& table);
  std::optional<Table> same_table(const std::vector<Tensor>& others) const;
  double key(const Table& table, std::size_t row) const { return table.cell(row, key_); }
  double distance(const Table& other, std::size_t row, std::size_t place) const;
  std::vector<std::size_t> places_of(const Table& other, std::size_t list, double window) const;
  std::vector<std::size_t> rows_to_replace(const Table& other, std::size_t list,
                                           const std::vector<std::size_t>& places,
                                           double window) const;

  std::vector<Tensor> reference_;
  Table table_;
  std::size_t axis_ = 0, key_ = 0, output_of_keys_ = 0;
};

} // namespace model_validator::verify
