#include "introspection/tensor_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace model_validator {
namespace {

constexpr auto nothing = std::numeric_limits<std::size_t>::max();

/// Where rows are, of which some are not found yet.
struct Places {
  TensorRows::Rows& rows;
  std::vector<bool> used;

  void add(std::size_t row, std::size_t other) {
    if (rows[row] != nothing || other >= used.size() || used[other]) return;
    rows[row] = other;
    used[other] = true;
  }

  /// Between two rows that lie as far apart as their places, the others lie in order.
  void fill_gaps() {
    std::size_t last = nothing;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows[row] == nothing) continue;
      if (last != nothing && rows[row] - rows[last] == row - last)
        for (std::size_t between = last + 1; between < row; ++between)
          add(between, rows[last] + between - last);
      last = row;
    }
  }

  /// What is like nothing lies behind the row before it, before the one behind it, or where nothing
  /// else is left.
  void add_neighbours() {
    for (std::size_t row = 1; row < rows.size(); ++row)
      if (rows[row - 1] != nothing) add(row, rows[row - 1] + 1);
    for (std::size_t row = rows.size() - 1; row-- > 0;)
      if (rows[row + 1] != nothing) add(row, rows[row + 1] - 1);
    if (std::ranges::count(rows, nothing) != std::ranges::count(used, false)) return;
    for (std::size_t row = 0; row < rows.size(); ++row)
      add(row, static_cast<std::size_t>(std::ranges::find(used, false) - used.begin()));
  }
};

} // namespace

TensorRows::TensorRows(TensorNumbers whole, std::size_t length, std::size_t& numbers_left)
    : whole_(std::move(whole)), length_(length), used_(whole_.values.size() / length, false),
      numbers_left_(&numbers_left) {}

void TensorRows::count_read(std::size_t numbers) const {
  *numbers_left_ -= std::min(*numbers_left_, numbers);
}

/// How many numbers of two rows differ, if these are fewer than `least`.
std::size_t TensorRows::differing(const OwnRows& own, std::size_t row, std::size_t other,
                                  std::size_t least) const {
  std::size_t found = 0, i = 0;
  for (; i < length_ && found < least; ++i)
    if (!is_rounding(own.numbers, whole_, own.greatest, row * length_ + i, other * length_ + i))
      ++found;
  count_read(i);
  return found;
}

std::size_t TensorRows::equal_row(const OwnRows& own, std::size_t row, std::size_t first,
                                  const std::vector<bool>& used) const {
  for (std::size_t tried = 0; tried < used.size() && *numbers_left_ > 0; ++tried) {
    const std::size_t other = (first + tried) % used.size();
    if (used[other])
      count_read(1);
    else if (differing(own, row, other, 1) == 0)
      return other;
  }
  return nothing;
}

/// Those that are not there are `nothing`; none at all where these are more than half.
TensorRows::Rows TensorRows::equal_rows(const OwnRows& own) const {
  Rows rows(own.numbers.values.size() / length_, nothing);
  std::vector<bool> used = used_;
  std::size_t next = 0, missing = 0; // most rows lie behind the one before
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = equal_row(own, row, next, used);
    if (rows[row] == nothing && 2 * ++missing > rows.size()) return {};
    if (rows[row] == nothing) continue;
    used[rows[row]] = true;
    next = rows[row] + 1;
  }
  return rows;
}

/// Of a row that differs in less than half of its numbers no other is as near.
std::size_t TensorRows::nearest(const OwnRows& own, std::size_t row,
                                const std::vector<bool>& used) const {
  std::size_t least = length_ / 2 + length_ % 2, found = nothing;
  for (std::size_t other = 0; other < used.size() && *numbers_left_ > 0; ++other) {
    const std::size_t here = used[other] ? least : differing(own, row, other, least);
    if (used[other]) count_read(1);
    if (here >= least) continue;
    least = here;
    found = other;
  }
  return found;
}

void TensorRows::add_missing(const OwnRows& own, Rows& rows) const {
  Places places{rows, used_};
  for (const std::size_t row : rows)
    if (row != nothing) places.used[row] = true;
  places.fill_gaps();
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row] == nothing) places.add(row, nearest(own, row, places.used));
  places.add_neighbours();
}

std::optional<TensorRows::Rows> TensorRows::find(const TensorNumbers& numbers) const {
  const OwnRows own{numbers, greatest_of(numbers.values)};
  Rows rows = equal_rows(own);
  if (rows.empty()) return std::nullopt;
  if (std::ranges::find(rows, nothing) != rows.end()) add_missing(own, rows);
  if (*numbers_left_ == 0 || std::ranges::find(rows, nothing) != rows.end()) return std::nullopt;
  return rows;
}

std::optional<TensorRows::Rows> TensorRows::find_in_order(const TensorNumbers& numbers) const {
  const OwnRows own{numbers, greatest_of(numbers.values)};
  const std::size_t size = numbers.values.size() / length_;
  std::size_t least = size / 2 + 1, found = nothing;
  for (std::size_t first = 0; first + size <= count() && *numbers_left_ > 0; ++first) {
    std::size_t missing = 0;
    for (std::size_t row = 0; row < size && missing < least; ++row)
      missing += used_[first + row] ? least : differing(own, row, first + row, 1);
    if (missing >= least) continue;
    least = missing;
    found = first;
  }
  if (*numbers_left_ == 0 || found == nothing) return std::nullopt;
  return range(found, size);
}

std::optional<TensorRows::Rows> TensorRows::rest(const TensorNumbers& own) const {
  Rows rows;
  for (std::size_t row = 0; row < used_.size(); ++row)
    if (!used_[row]) rows.push_back(row);
  if (rows.size() * length_ != own.values.size()) return std::nullopt;
  return rows;
}

TensorNumbers TensorRows::take(const Rows& rows, const std::vector<std::uint64_t>& shape) {
  TensorNumbers taken{{}, shape, whole_.relative, whole_.steps, 0, {}};
  taken.values.reserve(rows.size() * length_);
  for (const std::size_t row : rows) {
    used_[row] = true;
    const auto first = whole_.values.begin() + static_cast<std::ptrdiff_t>(row * length_);
    taken.values.insert(taken.values.end(), first, first + static_cast<std::ptrdiff_t>(length_));
  }
  return taken;
}

TensorRows::Rows range(std::size_t first, std::size_t count) {
  TensorRows::Rows rows(count);
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

TensorRows::Rows in_order_of_range(const TensorRows::Rows& rows) {
  if (rows.empty()) return rows;
  const auto [first, last] = std::ranges::minmax(rows);
  return last - first + 1 == rows.size() ? range(first, rows.size()) : rows;
}

std::string part_in_words(const TensorRows::Rows& rows, std::size_t count) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i] != rows[i - 1] + 1) return {};
  if (rows.size() == count || rows.empty()) return {};
  return std::to_string(rows.front()) + ":" + std::to_string(rows.back() + 1);
}

} // namespace model_validator
