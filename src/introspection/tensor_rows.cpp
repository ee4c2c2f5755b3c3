#include "introspection/tensor_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace model_validator {
namespace {

constexpr auto nothing = std::numeric_limits<std::size_t>::max();
constexpr std::size_t max_compared = std::size_t{1} << 26; ///< rows with rows

/// Where rows are, of which some are not found yet.
struct Places {
  TensorRows::Rows& rows;
  std::vector<bool> used;

  void add(std::size_t row, std::size_t other) {
    if (rows[row] != nothing || other >= used.size() || used[other]) return;
    rows[row] = other;
    used[other] = true;
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

TensorRows::TensorRows(TensorNumbers whole, std::size_t length)
    : whole_(std::move(whole)), length_(length), used_(whole_.values.size() / length, false) {}

/// Those that are not there are `nothing`.
TensorRows::Rows TensorRows::equal_rows(const TensorNumbers& own) const {
  const double greatest = greatest_of(own.values);
  const auto are_equal = [&](std::size_t row, std::size_t other) {
    for (std::size_t i = 0; i < length_; ++i)
      if (!is_rounding(own, whole_, greatest, row * length_ + i, other * length_ + i)) return false;
    return true;
  };
  Rows rows(own.values.size() / length_, nothing);
  if (rows.size() * used_.size() > max_compared) return rows;
  std::vector<bool> used = used_;
  std::size_t next = 0; // most rows lie behind the one before
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t tried = 0; tried < used.size(); ++tried) {
      const std::size_t other = (next + tried) % used.size();
      if (used[other] || !are_equal(row, other)) continue;
      rows[row] = other;
      used[other] = true;
      next = other + 1;
      break;
    }
  return rows;
}

/// Of a row that differs in less than half of its numbers no other is as near.
std::size_t TensorRows::nearest(const TensorNumbers& own, std::size_t row,
                                const std::vector<bool>& used) const {
  const double greatest = greatest_of(own.values);
  std::size_t least = length_ / 2 + length_ % 2, found = nothing;
  for (std::size_t other = 0; other < used.size(); ++other) {
    std::size_t differing = used[other] ? least : 0;
    for (std::size_t i = 0; i < length_ && differing < least; ++i)
      if (!is_rounding(own, whole_, greatest, row * length_ + i, other * length_ + i)) ++differing;
    if (differing >= least) continue;
    least = differing;
    found = other;
  }
  return found;
}

void TensorRows::add_missing(const TensorNumbers& own, Rows& rows) const {
  Places places{rows, used_};
  for (const std::size_t row : rows)
    if (row != nothing) places.used[row] = true;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row] == nothing) places.add(row, nearest(own, row, places.used));
  places.add_neighbours();
}

std::optional<TensorRows::Rows> TensorRows::find(const TensorNumbers& own) const {
  Rows rows = equal_rows(own);
  const auto missing = static_cast<std::size_t>(std::ranges::count(rows, nothing));
  if (2 * missing > rows.size()) return std::nullopt;
  if (missing > 0) add_missing(own, rows);
  if (std::ranges::find(rows, nothing) != rows.end()) return std::nullopt;
  return rows;
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

std::string part_in_words(const TensorRows::Rows& rows, std::size_t count) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i] != rows[i - 1] + 1) return {};
  if (rows.size() == count || rows.empty()) return {};
  return std::to_string(rows.front()) + ":" + std::to_string(rows.back() + 1);
}

} // namespace model_validator
