#include "verify/compare/ranked_rows.h"

#include "verify/compare/runs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

namespace model_validator::verify {
namespace {

/// Larger tables are features or logits, not what was chosen.
constexpr std::size_t most_rows = 4096, most_cells = std::size_t{1} << 22;
/// Of random columns so few may be expected to be sorted, all told.
constexpr double chance = 0.01;
/// Near ties are neighbours: rows are not looked for farther away.
constexpr std::size_t neighbours = 64;
/// A row that is off by more of a column's greatest value is another row, not the same one in other
/// roundings.
constexpr double another_row = 0.1;
/// One row in so many may be another at the end of a list, where what comes next nearly ties.
constexpr std::size_t rows_for_each_replaced = 4;

bool begins_alike(const Shape& one, const Shape& other, std::size_t count) {
  return one.size() >= count && other.size() >= count &&
         std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(count), other.begin());
}

std::size_t product(const Shape& shape, std::size_t begin, std::size_t end) {
  std::size_t size = 1;
  for (std::size_t i = begin; i < end; ++i) size *= static_cast<std::size_t>(shape[i]);
  return size;
}

/// The logarithm of the number of orders that so many rows have.
double log_orders(std::size_t rows) { return std::lgamma(static_cast<double>(rows) + 1); }

/// The bytes of a tensor with other rows in the places of its own.
Tensor with_rows(const Tensor& own, const Tensor& reference, std::size_t rows,
                 const std::vector<std::size_t>& places, const std::vector<bool>& replaced) {
  const TensorView& view = own.view;
  const std::size_t bytes =
      static_cast<std::size_t>(element_count(view)) * element_size(view.dtype) / rows;
  std::vector<char> moved(rows * bytes);
  const bool same_dtype = view.dtype == reference.view.dtype;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool is_replaced = replaced[row] && same_dtype;
    const auto* from = static_cast<const char*>(is_replaced ? reference.view.data : view.data);
    std::memcpy(moved.data() + row * bytes, from + (is_replaced ? row : places[row]) * bytes,
                bytes);
  }
  return make_tensor(view.dtype, view.shape, moved.data());
}

} // namespace

std::optional<RankedRows::Table> RankedRows::table_of(const std::vector<Tensor>& outputs,
                                                      std::size_t like, std::size_t axis) {
  const Shape& shape = outputs[like].view.shape;
  if (shape.size() <= axis) return std::nullopt;
  Table table;
  table.lists = product(shape, 0, axis);
  table.rows = static_cast<std::size_t>(shape[axis]);
  if (table.lists == 0 || table.rows < 2 || table.rows > most_rows) return std::nullopt;
  const std::size_t rows = table.lists * table.rows;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const TensorView& view = outputs[i].view;
    if (!begins_alike(view.shape, shape, axis + 1) || is_complex(view.dtype)) continue;
    if (contiguous_view(view.data, view.dtype, view.shape).strides != view.strides) continue;
    table.outputs.push_back(i);
    table.columns += product(view.shape, axis + 1, view.shape.size());
  }
  if (table.columns == 0 || rows * table.columns > most_cells) return std::nullopt;
  table.cells.resize(rows * table.columns);
  for (const std::size_t i : table.outputs) table.fill(outputs[i].view);
  return table;
}

/// With the next columns, those of one output.
void RankedRows::Table::fill(const TensorView& view) {
  const auto numbers = numbers_of(view);
  const std::size_t width = numbers.size() / (lists * rows), first = scales.size();
  for (std::size_t k = 0; k < width; ++k) {
    double greatest = 0;
    for (std::size_t row = 0; row < lists * rows; ++row) {
      const double number = numbers[row * width + k];
      cells[row * columns + first + k] = number;
      if (std::isfinite(number)) greatest = std::max(greatest, std::fabs(number));
    }
    const double scale = greatest > 0 ? greatest : 1;
    scales.push_back(is_floating(view.dtype) ? scale : 0);
  }
}

bool RankedRows::is_sorted(const Table& table, std::size_t column) {
  bool falls = true, rises = true, varies = false;
  for (std::size_t list = 0; list < table.lists; ++list)
    for (std::size_t row = list * table.rows + 1; row < (list + 1) * table.rows; ++row) {
      const double before = table.cell(row - 1, column), now = table.cell(row, column);
      falls = falls && before >= now;
      rises = rises && before <= now;
      varies = varies || before != now;
    }
  return varies && falls != rises;
}

/// The logarithm of the chance that random rows with these keys are sorted, all lists in one
/// direction: rows with one key may lie in any order.
double RankedRows::log_chance_of_sorted(const Table& table, std::size_t column) {
  double sum = std::log(2.0);
  for (std::size_t list = 0; list < table.lists; ++list) {
    sum -= log_orders(table.rows);
    std::size_t alike = 1;
    for (std::size_t row = list * table.rows + 1; row <= (list + 1) * table.rows; ++row) {
      const bool goes_on =
          row < (list + 1) * table.rows && table.cell(row, column) == table.cell(row - 1, column);
      if (!goes_on) sum += log_orders(std::exchange(alike, 0));
      ++alike;
    }
  }
  return sum;
}

std::optional<std::size_t> RankedRows::sorted_column(const Table& table) {
  const double least = std::log(chance / static_cast<double>(table.columns));
  // Two rows in each list, such as the corners of boxes, may be sorted by what they mean.
  const double where_each_has_a_direction =
      static_cast<double>(table.lists) * (std::log(2.0) - log_orders(table.rows));
  if (where_each_has_a_direction > least) return std::nullopt;
  for (std::size_t column = 0; column < table.columns; ++column)
    // Counters and labels are no keys.
    if (table.scales[column] != 0 && is_sorted(table, column) &&
        log_chance_of_sorted(table, column) <= least)
      return column;
  return std::nullopt;
}

std::optional<RankedRows> RankedRows::find(const std::vector<Tensor>& outputs,
                                           const RankedRows* like) {
  for (const std::size_t axis : {1U, 0U, 2U})
    for (std::size_t of = 0; of < outputs.size(); ++of) {
      if (like != nullptr && (axis != like->axis_ || of != like->table_.outputs.front())) continue;
      auto table = table_of(outputs, of, axis);
      if (!table) continue;
      std::optional<std::size_t> column;
      if (like == nullptr)
        column = sorted_column(*table);
      else if (like->key_ < table->columns && is_sorted(*table, like->key_))
        column = like->key_;
      if (!column) continue;
      RankedRows found;
      found.reference_ = outputs;
      found.axis_ = axis;
      found.key_ = *column;
      std::size_t first = 0;
      for (const std::size_t i : table->outputs) {
        const Shape& shape = outputs[i].view.shape;
        first += product(shape, axis + 1, shape.size());
        found.output_of_keys_ = i;
        if (first > *column) break;
      }
      found.table_ = *std::move(table);
      return found;
    }
  return std::nullopt;
}

std::optional<RankedRows::Table> RankedRows::same_table(const std::vector<Tensor>& others) const {
  if (others.size() != reference_.size()) return std::nullopt;
  for (const std::size_t i : table_.outputs)
    if (others[i].view.shape != reference_[i].view.shape) return std::nullopt;
  auto table = table_of(others, table_.outputs.front(), axis_);
  if (!table || table->outputs != table_.outputs) return std::nullopt;
  return table;
}

std::optional<double> RankedRows::change_of_keys(const std::vector<Tensor>& others) const {
  const auto other = same_table(others);
  if (!other) return std::nullopt;
  double change = 0;
  for (std::size_t row = 0; row < table_.lists * table_.rows; ++row)
    if (const double d = std::fabs(key(*other, row) - key(table_, row)); std::isfinite(d))
      change = std::max(change, d);
  return change;
}

double RankedRows::greatest_key() const { return table_.scales[key_]; }

/// How far a row of the reference is from one of another run, as a share of each column's greatest.
double RankedRows::distance(const Table& other, std::size_t row, std::size_t place) const {
  double most = 0;
  for (std::size_t column = 0; column < table_.columns; ++column) {
    const double one = table_.cell(row, column), two = other.cell(place, column);
    if (one == two || (std::isnan(one) && std::isnan(two))) continue;
    const double scale = table_.scales[column], d = std::fabs(one - two);
    most = std::max(most, scale > 0 && std::isfinite(d) ? d / scale : 1.0);
  }
  return most;
}

/// The places of a list where its rows are found: the likest first, each place once.
std::vector<std::size_t> RankedRows::places_of(const Table& other, std::size_t list,
                                               double window) const {
  struct Pair {
    double distance;
    std::size_t steps, row, place;
  };
  std::vector<Pair> pairs;
  const std::size_t begin = list * table_.rows, end = begin + table_.rows;
  for (std::size_t row = begin; row < end; ++row)
    for (std::size_t place = std::max(begin + neighbours, row) - neighbours;
         place < std::min(end, row + neighbours + 1); ++place) {
      const bool ties = std::fabs(key(table_, row) - key(table_, place)) <= window;
      if (row != place && !ties) continue;
      const std::size_t steps = row < place ? place - row : row - place;
      pairs.push_back({distance(other, row, place), steps, row, place});
    }
  std::ranges::sort(pairs, [](const Pair& x, const Pair& y) {
    return std::tie(x.distance, x.steps, x.row) < std::tie(y.distance, y.steps, y.row);
  });
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> places(table_.rows, none);
  std::vector<bool> taken(table_.rows, false);
  for (const Pair& pair : pairs) {
    if (places[pair.row - begin] != none || taken[pair.place - begin]) continue;
    places[pair.row - begin] = pair.place;
    taken[pair.place - begin] = true;
  }
  std::size_t left = 0;
  for (std::size_t& place : places) {
    if (place != none) continue;
    while (taken[left]) ++left;
    taken[left] = true;
    place = begin + left;
  }
  return places;
}

/// Rows that nearly tie with the last, where another one was kept.
std::vector<std::size_t> RankedRows::rows_to_replace(const Table& other, std::size_t list,
                                                     const std::vector<std::size_t>& places,
                                                     double window) const {
  const std::size_t begin = list * table_.rows;
  const double last = key(table_, begin + table_.rows - 1);
  std::vector<std::size_t> rows;
  std::size_t near = 0; // any of those with the very same key may have been kept
  for (std::size_t i = 0; i < table_.rows; ++i) {
    if (distance(other, begin + i, places[i]) <= another_row) continue;
    const double own = key(table_, begin + i), found = key(other, places[i]);
    if (std::fabs(own - last) > window || std::fabs(found - last) > window) continue;
    rows.push_back(begin + i);
    if (own != last || found != last) ++near;
  }
  const std::size_t most = std::max<std::size_t>(1, table_.rows / rows_for_each_replaced);
  return near <= most ? rows : std::vector<std::size_t>{};
}

ReorderedRows RankedRows::in_order(const std::vector<Tensor>& others, double window) const {
  ReorderedRows result{others};
  const auto other = same_table(others);
  if (!other) return result;
  const std::size_t rows = table_.lists * table_.rows;
  std::vector<std::size_t> places;
  std::vector<bool> replaced(rows, false);
  for (std::size_t list = 0; list < table_.lists; ++list) {
    const auto own = places_of(*other, list, window);
    for (const std::size_t row : rows_to_replace(*other, list, own, window)) {
      replaced[row] = true;
      ++result.replaced;
    }
    places.insert(places.end(), own.begin(), own.end());
  }
  for (std::size_t row = 0; row < rows; ++row)
    if (places[row] != row && !replaced[row]) ++result.moved;
  if (result.moved + result.replaced == 0) return result;
  for (const std::size_t i : table_.outputs)
    result.outputs[i] = with_rows(others[i], reference_[i], rows, places, replaced);
  return result;
}

} // namespace model_validator::verify
