#include "introspection/tensor_pairing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

namespace model_validator {
namespace {

TensorNumbers turned(const TensorNumbers& matrix) {
  TensorNumbers other = matrix;
  const auto rows = matrix.shape[0], columns = matrix.shape[1];
  other.shape = {columns, rows};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      other.values[j * rows + i] = matrix.values[i * columns + j];
  return other;
}

bool is_matrix(const TensorNumbers& numbers) { return numbers.shape.size() == 2; }

/// Sizes of one say nothing of what a tensor is.
std::vector<std::uint64_t> sizes_of(const TensorNumbers& numbers) {
  auto sizes = numbers.shape;
  std::erase(sizes, 1U);
  return sizes;
}

/// A linear layer's weight may be stored turned, and nothing says so of a square one.
std::optional<TensorDifference> difference_as_stored(const TensorNumbers& one,
                                                     const TensorNumbers& other, bool may_turn,
                                                     Explained explained) {
  std::optional<TensorDifference> found;
  if (sizes_of(one) == sizes_of(other)) found = difference_of(one, other, explained);
  if (!may_turn || !is_matrix(one) || !is_matrix(other)) return found;
  const TensorNumbers matrix = turned(one);
  if (matrix.shape != other.shape) return found;
  auto in_the_other_way = difference_of(matrix, other, explained);
  if (!found || in_the_other_way.differing < found->differing) found = std::move(in_the_other_way);
  return found;
}

/// Below `axes` leading axes.
std::size_t length_of_row(const std::vector<std::uint64_t>& shape, std::size_t axes) {
  std::size_t length = 1;
  for (std::size_t axis = axes; axis < shape.size(); ++axis) length *= shape[axis];
  return length;
}

/// How far numbers go up and down together, whatever their means are.
double correlation(const std::vector<double>& one, const std::vector<double>& other) {
  const auto count = static_cast<double>(one.size());
  double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    a += one[i];
    b += other[i];
    aa += one[i] * one[i];
    bb += other[i] * other[i];
    ab += one[i] * other[i];
  }
  const double spread = (aa - a * a / count) * (bb - b * b / count);
  return spread > 0 ? (ab - a * b / count) / std::sqrt(spread) : 0;
}

TensorNumbers squeezed(TensorNumbers numbers) {
  numbers.shape = sizes_of(numbers);
  return numbers;
}

} // namespace

TensorPairing::TensorPairing(std::vector<LoadedTensor> own, std::vector<LoadedTensor> others,
                             TensorGroups groups, std::size_t max_numbers)
    : own_(std::move(own)), others_(std::move(others)), whole_(others_.size()), groups_(groups),
      numbers_left_(max_numbers) {
  used_.assign(others_.size(), false);
  const bool by_place = groups == TensorGroups::same_ops && own_.size() == whole_;
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, same_name(i));
  for (std::size_t i = 0; i < own_.size(); ++i)
    pair(i, by_place ? first_left(i, [i](std::size_t other) { return i == other; }) : none);
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, equal_one(i));
  std::vector<View> views = views_of_rows();
  for (std::size_t i = 0; i < own_.size(); ++i) find_rows(i, views);
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, most_alike(i));
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, only_one_left(i));
  for (std::size_t i = 0; i < own_.size(); ++i) pair_rows(i, views, std::mem_fn(&TensorRows::rest));
}

TensorPairing::Finding TensorPairing::finding() const {
  if (numbers_left_ == 0) return {}; // what was not searched to the end may be anywhere
  Finding found = about_pairs();
  if (found.words.empty()) found.words = words_about_missing();
  return found;
}

const TensorNumbers* TensorPairing::partner_of(std::size_t own) const {
  const auto found = numbers_left_ == 0 ? partners_.end() : partners_.find(own);
  return found == partners_.end() ? nullptr : &others_[found->second].numbers;
}

/// How long the rows are of what nothing stands for yet, either way.
std::set<std::size_t> TensorPairing::lengths_of_unpaired() const {
  std::set<std::size_t> lengths;
  for (std::size_t own = 0; own < own_.size(); ++own) {
    if (partners_.count(own) != 0) continue;
    const auto sizes = sizes_of(own_[own].numbers);
    lengths.insert(length_of_row(sizes, 1));
    if (sizes.size() == 2) lengths.insert(sizes[0]);
  }
  return lengths;
}

/// Of what stands for nothing as a whole, and has rows as long as some that are looked for. None of
/// a tensor of which each channel has its own scale.
std::vector<TensorPairing::View> TensorPairing::views_of_rows() {
  constexpr std::size_t directions_and_rows = 2;
  const std::set<std::size_t> wanted = lengths_of_unpaired();
  std::vector<View> views;
  const auto add = [&](std::size_t whole, std::size_t length, auto&& copy, bool is_turned = false) {
    if (wanted.count(length) != 0)
      views.push_back({whole, is_turned, length,
                       TensorRows(copy(others_[whole].numbers), length, numbers_left_)});
  };
  for (std::size_t i = 0; i < whole_; ++i) {
    const TensorNumbers& numbers = others_[i].numbers;
    if (used_[i] || numbers.values.empty() || numbers.steps.size() > 1) continue;
    add(i, length_of_row(sizes_of(numbers), 1), squeezed);
    if (is_matrix(numbers)) add(i, numbers.shape[0], turned, true);
    if (groups_ == TensorGroups::gates && numbers.shape.size() >= directions_and_rows)
      add(i, length_of_row(numbers.shape, directions_and_rows), std::identity());
  }
  return views;
}

/// Of one that is as large, only gates lie in another order.
bool TensorPairing::may_hold_rows(const View& view, std::size_t own) const {
  const bool is_paired =
      std::ranges::any_of(partners_, [&](const auto& pair) { return pair.second == view.whole; });
  return !is_paired && (groups_ == TensorGroups::gates || !fits(own, view.whole));
}

/// An optimiser that joins tensors keeps the order of their rows, gates alone have another.
void TensorPairing::find_rows(std::size_t own, std::vector<View>& views) {
  pair_rows(own, views, [this](const TensorRows& rows, const TensorNumbers& numbers) {
    if (groups_ == TensorGroups::gates) return rows.find(numbers);
    if (numbers.shape.size() < 2) return rows.find_in_order(numbers);
    auto found = rows.find(numbers);
    if (found) found = in_order_of_range(*found);
    return found;
  });
}

template <class FindRows>
void TensorPairing::pair_rows(std::size_t own, std::vector<View>& views, FindRows find) {
  if (partners_.count(own) != 0) return;
  std::vector<TensorNumbers> ways{squeezed(own_[own].numbers)};
  if (is_matrix(ways[0])) ways.push_back(turned(ways[0]));
  for (View& view : views)
    for (const TensorNumbers& way : ways) {
      if (length_of_row(way.shape, 1) != view.length || !may_hold_rows(view, own)) continue;
      const auto rows = find(view.rows, way);
      if (!rows) continue;
      LoadedTensor part{others_[view.whole].tensor, view.rows.take(*rows, way.shape), own_[own].op};
      if (const std::string place = part_in_words(*rows, view.rows.count()); !place.empty())
        part.tensor.name += (view.turned ? "[:, " : "[") + place + "]";
      used_[view.whole] = true;
      partners_[own] = others_.size();
      others_.push_back(std::move(part));
      return;
    }
}

/// Under one name and read by the same ops, a tensor lies the same way, be it square or not.
TensorDifference TensorPairing::difference_of_pair(std::size_t own, std::size_t other,
                                                   Explained explained) const {
  const LoadedTensor &one = own_[own], &two = others_[other];
  const bool is_known_way =
      groups_ == TensorGroups::same_ops && one.tensor.name == two.tensor.name &&
      one.tensor.turned == two.tensor.turned && one.numbers.shape == two.numbers.shape;
  return difference_as_stored(one.numbers, two.numbers, !is_known_way, explained)
      .value_or(TensorDifference{});
}

TensorPairing::Finding TensorPairing::about_pairs() const {
  std::size_t most = 0;
  Finding finding;
  for (const auto& [own, other] : partners_) {
    const auto found = difference_of_pair(own, other, Explained::yes);
    if (found.words.empty() || found.differing <= most) continue;
    most = found.differing;
    const std::string &mine = own_[own].tensor.name, &theirs = others_[other].tensor.name;
    const bool same = unquantised_name(theirs) == mine || theirs == mine;
    finding = {"`" + theirs + "`" + (same ? "" : ", which is `" + mine + "` of the reference,") +
                   " " + found.words,
               own_[own].op};
  }
  return finding;
}

/// Where the same ops read less in the candidate, and all of that stands for something.
std::string TensorPairing::words_about_missing() const {
  if (groups_ != TensorGroups::same_ops || used_.empty() ||
      std::ranges::find(used_, false) != used_.end())
    return {};
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const std::vector<double>& values = own_[i].numbers.values;
    const bool is_zero = std::ranges::all_of(values, [](double value) { return value == 0; });
    if (partners_.count(i) == 0 && !is_zero)
      return "the candidate has nothing in place of `" + own_[i].tensor.name + "`";
  }
  return {};
}

void TensorPairing::pair(std::size_t own, std::size_t other) {
  if (other == none || partners_.count(own) != 0 || used_[other]) return;
  partners_[own] = other;
  used_[other] = true;
}

bool TensorPairing::fits(std::size_t own, std::size_t other) const {
  const TensorNumbers &one = own_[own].numbers, &two = others_[other].numbers;
  const auto sizes = sizes_of(one), others = sizes_of(two);
  return sizes == others ||
         (is_matrix(one) && is_matrix(two) && std::vector(sizes.rbegin(), sizes.rend()) == others);
}

template <class Condition>
std::size_t TensorPairing::first_left(std::size_t own, Condition condition) const {
  for (std::size_t i = 0; i < whole_; ++i)
    if (!used_[i] && fits(own, i) && condition(i)) return i;
  return none;
}

std::size_t TensorPairing::same_name(std::size_t own) const {
  return first_left(own, [&](std::size_t i) {
    return unquantised_name(others_[i].tensor.name) == unquantised_name(own_[own].tensor.name);
  });
}

std::size_t TensorPairing::equal_one(std::size_t own) const {
  if (partners_.count(own) != 0) return none;
  return first_left(
      own, [&](std::size_t i) { return difference_of_pair(own, i, Explained::no).differing == 0; });
}

/// Where it alone is left of its sizes on either side.
std::size_t TensorPairing::only_one_left(std::size_t own) const {
  const std::size_t found = first_left(own, [](std::size_t) { return true; });
  if (found == none) return none;
  for (std::size_t i = 0; i < whole_; ++i)
    if (i != found && !used_[i] && fits(own, i)) return none;
  for (std::size_t i = 0; i < own_.size(); ++i)
    if (i != own && partners_.count(i) == 0 && fits(i, found)) return none;
  return found;
}

/// What is too much like it to be of another layer.
std::size_t TensorPairing::most_alike(std::size_t own) const {
  constexpr double least = 0.5;
  if (partners_.count(own) != 0) return none;
  std::size_t found = none;
  double most = least;
  for (std::size_t i = 0; i < whole_; ++i) {
    if (used_[i] || !fits(own, i)) continue;
    const double alike = likeness(own, i);
    if (alike <= most) continue;
    found = i;
    most = alike;
  }
  return found;
}

/// The part of the numbers that are the same, or how far all go up and down together: up to 1.
double TensorPairing::likeness(std::size_t own, std::size_t other) const {
  constexpr double by_chance = 4; // times what it is of as many numbers of another layer
  const TensorNumbers &one = own_[own].numbers, &two = others_[other].numbers;
  const auto count = static_cast<double>(one.values.size());
  const auto differing =
      static_cast<double>(difference_of_pair(own, other, Explained::no).differing);
  const bool lies_turned = sizes_of(one) != sizes_of(two);
  const double together = correlation(lies_turned ? turned(one).values : one.values, two.values);
  return std::max(1 - differing / count, together < by_chance / std::sqrt(count) ? 0 : together);
}

} // namespace model_validator
