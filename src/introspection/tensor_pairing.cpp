#include "introspection/tensor_pairing.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

namespace model_validator {
namespace {

constexpr std::size_t max_parts = 64; ///< that a tensor is taken apart into
constexpr std::size_t max_numbers_in_parts = std::size_t{1} << 24;

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

/// The numbers of a tensor from one index of an axis to another.
TensorNumbers cut(const TensorNumbers& whole, std::size_t axis, std::size_t first,
                  std::size_t count) {
  TensorNumbers part{{}, whole.shape, whole.relative, {}, 0, {}};
  part.shape[axis] = count;
  part.values.reserve(whole.values.size() / whole.shape[axis] * count);
  std::size_t stride = 1;
  for (std::size_t i = axis + 1; i < whole.shape.size(); ++i) stride *= whole.shape[i];
  const std::size_t length = whole.shape[axis] * stride;
  for (std::size_t at = 0; at < whole.values.size(); at += length)
    part.values.insert(
        part.values.end(), whole.values.begin() + static_cast<std::ptrdiff_t>(at + first * stride),
        whole.values.begin() + static_cast<std::ptrdiff_t>(at + (first + count) * stride));
  return part;
}

/// How long a part of a tensor along an axis must be to have some sizes; 0 where none has.
std::size_t length_of_part(const TensorNumbers& whole, std::size_t axis,
                           const std::vector<std::uint64_t>& sizes) {
  auto left = sizes_of(whole);
  if (whole.shape[axis] < 2 || left.size() != sizes.size()) return 0;
  const auto before = static_cast<std::size_t>(
      std::count_if(whole.shape.begin(), whole.shape.begin() + static_cast<std::ptrdiff_t>(axis),
                    [](std::uint64_t size) { return size != 1; }));
  left[before] = sizes[before];
  const bool fits = left == sizes && sizes[before] < whole.shape[axis];
  return fits ? static_cast<std::size_t>(sizes[before]) : 0;
}

/// Of some sizes, along one axis.
/// @param numbers_left  that parts may hold; those of these are taken away
std::vector<LoadedTensor> parts_along(const LoadedTensor& whole, std::size_t axis,
                                      const std::vector<std::uint64_t>& sizes,
                                      std::size_t& numbers_left) {
  std::vector<LoadedTensor> parts;
  const std::size_t length = length_of_part(whole.numbers, axis, sizes);
  const auto size = static_cast<std::size_t>(whole.numbers.shape[axis]);
  const std::size_t step = length == 0 ? 0 : std::gcd(length, size);
  if (step == 0 || (size - length) / step >= max_parts) return parts;
  const std::size_t count = (size - length) / step + 1;
  const std::size_t numbers = whole.numbers.values.size() / size * length * count;
  if (numbers > numbers_left) return parts;
  numbers_left -= numbers;
  for (std::size_t first = 0; first + length <= size; first += step) {
    LoadedTensor part{whole.tensor, cut(whole.numbers, axis, first, length), whole.op};
    part.tensor.name += "[" + std::string(axis == 0 ? "" : ":, ") + std::to_string(first) + ":" +
                        std::to_string(first + length) + "]";
    parts.push_back(std::move(part));
  }
  return parts;
}

/// None of a quantised one, of which each channel has its own scale.
std::vector<LoadedTensor> parts_of(const LoadedTensor& whole,
                                   const std::vector<std::uint64_t>& sizes,
                                   std::size_t& numbers_left) {
  std::vector<LoadedTensor> parts;
  if (!whole.numbers.steps.empty()) return parts;
  for (std::size_t axis = 0; axis < whole.numbers.shape.size(); ++axis)
    std::ranges::move(parts_along(whole, axis, sizes, numbers_left), std::back_inserter(parts));
  return parts;
}

} // namespace

TensorPairing::TensorPairing(std::vector<LoadedTensor> own, std::vector<LoadedTensor> others,
                             TensorGroups groups)
    : own_(std::move(own)), others_(std::move(others)), whole_(others_.size()), groups_(groups) {
  add_parts();
  used_.assign(others_.size(), false);
  const bool by_place = groups == TensorGroups::same_ops && own_.size() == whole_;
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, same_name(i));
  for (std::size_t i = 0; i < own_.size(); ++i)
    pair(i, by_place ? first_left(i, [i](std::size_t other) { return i == other; }) : none);
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, equal_one(i));
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, only_one_left(i));
  for (std::size_t i = 0; i < own_.size(); ++i) pair(i, nearest_part(i));
}

TensorPairing::Finding TensorPairing::finding() const {
  Finding found = about_pairs();
  if (found.words.empty()) found.words = words_about_missing();
  return found;
}

const TensorNumbers* TensorPairing::partner_of(std::size_t own) const {
  const auto found = partners_.find(own);
  return found == partners_.end() ? nullptr : &others_[found->second].numbers;
}

/// An optimiser joins the weights of projections of one value, and biases with them.
void TensorPairing::add_parts() {
  std::set<std::vector<std::uint64_t>> all_sizes;
  for (const LoadedTensor& own : own_) {
    auto sizes = sizes_of(own.numbers);
    all_sizes.insert(sizes);
    if (is_matrix(own.numbers)) all_sizes.insert({sizes.rbegin(), sizes.rend()});
  }
  std::size_t numbers_left = max_numbers_in_parts;
  for (std::size_t i = 0; i < whole_; ++i)
    for (const auto& sizes : all_sizes)
      std::ranges::move(parts_of(others_[i], sizes, numbers_left), std::back_inserter(others_));
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
  const auto whole =
      std::vector<bool>(used_.begin(), used_.begin() + static_cast<std::ptrdiff_t>(whole_));
  if (groups_ != TensorGroups::same_ops || whole.empty() ||
      std::ranges::find(whole, false) != whole.end())
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
  for (std::size_t i = 0; i < others_.size(); ++i)
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
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (i != found && !used_[i] && fits(own, i)) return none;
  for (std::size_t i = 0; i < own_.size(); ++i)
    if (i != own && partners_.count(i) == 0 && fits(i, found)) return none;
  return found;
}

/// What shares most numbers with it, where that is half of them: no two tensors do by chance.
std::size_t TensorPairing::nearest_part(std::size_t own) const {
  if (partners_.count(own) != 0) return none;
  std::size_t nearest = none, least = own_[own].numbers.values.size() / 2 + 1;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    if (used_[i] || !fits(own, i)) continue;
    const std::size_t differing = difference_of_pair(own, i, Explained::no).differing;
    if (differing >= least) continue;
    nearest = i;
    least = differing;
  }
  return nearest;
}

} // namespace model_validator
