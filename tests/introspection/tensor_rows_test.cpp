#include "introspection/tensor_rows.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator;
using Rows = TensorRows::Rows;

namespace {

TensorNumbers matrix(std::uint64_t rows, std::uint64_t columns, double seed) {
  TensorNumbers made;
  made.shape = {rows, columns};
  for (std::uint64_t i = 0; i < rows * columns; ++i)
    made.values.push_back(std::sin(seed + 3 * static_cast<double>(i)));
  return made;
}

/// A tensor of the candidate of which enough numbers may be compared.
TensorRows rows_of(TensorNumbers numbers) {
  static std::size_t left = max_compared_numbers;
  const std::size_t length = numbers.shape[1];
  return {std::move(numbers), length, left};
}

TensorNumbers in_order(const TensorNumbers& numbers, const Rows& rows) {
  return rows_of(numbers).take(rows, {rows.size(), numbers.shape[1]});
}

} // namespace

TEST_CASE("rows are found wherever they lie") {
  const TensorNumbers own = matrix(6, 4, 1);
  const Rows order{4, 5, 0, 1, 2, 3};
  const TensorRows turned = rows_of(in_order(own, order));
  CHECK(turned.find(own) == Rows{2, 3, 4, 5, 0, 1});
  CHECK_FALSE(turned.find(matrix(6, 4, 2)));
}

TEST_CASE("a row that differs in a number or in all stands where the others leave it a place") {
  const TensorNumbers own = matrix(6, 4, 1);
  TensorNumbers other = in_order(own, {4, 5, 0, 1, 2, 3});
  other.values[3 * 4] += 1; // of the reference's row 1
  CHECK(rows_of(other).find(own) == Rows{2, 3, 4, 5, 0, 1});
  for (std::size_t i = 0; i < 4; ++i) other.values[i] *= 3; // of the reference's row 4
  CHECK(rows_of(other).find(own) == Rows{2, 3, 4, 5, 0, 1});
}

TEST_CASE("where more than half of the rows are not there, none is taken") {
  const TensorNumbers own = matrix(6, 4, 1);
  TensorNumbers other = own;
  for (std::size_t i = 0; i < 4 * 4; ++i) other.values[i] *= 3;
  CHECK_FALSE(rows_of(other).find(own));
}

TEST_CASE("a row stands for one alone, and what is left for what is as large") {
  const TensorNumbers whole = matrix(6, 4, 1), first = in_order(whole, {0, 1});
  TensorRows rows = rows_of(whole);
  CHECK_FALSE(rows.rest(matrix(4, 4, 9)));
  rows.take(*rows.find(first), first.shape);
  CHECK_FALSE(rows.find(first));
  CHECK(rows.rest(matrix(4, 4, 9)) == Rows{2, 3, 4, 5});
  CHECK_FALSE(rows.rest(matrix(3, 4, 9)));
}

TEST_CASE("no more than a number of numbers are compared with one another") {
  const TensorNumbers own = matrix(6, 4, 1);
  constexpr std::size_t compared = 6 * 4;
  const auto found = [&](std::size_t left) { return TensorRows(own, 4, left).find(own); };
  CHECK(found(compared + 1));
  CHECK_FALSE(found(compared));
  const auto in_order_found = [&](std::size_t left) {
    return TensorRows(own, 4, left).find_in_order(own);
  };
  CHECK(in_order_found(compared + 1));
  CHECK_FALSE(in_order_found(compared));
}

TEST_CASE("rows of which nothing is alike cost no more where their place is between others") {
  const TensorNumbers own = matrix(400, 100, 1);
  TensorNumbers other = own;
  for (std::uint64_t row = 1; row < 399; row += 1 + row % 3)
    for (std::uint64_t i = 0; row % 3 == 1 && i < 100; ++i) other.values[row * 100 + i] *= 3;
  std::size_t left = 400 * 100 + 400 * 400 / 2;
  CHECK(TensorRows(other, 100, left).find(own) == range(0, 400));
  CHECK(left > 0);
}

TEST_CASE("many rows of which nothing is alike are read no longer than the limit") {
  const TensorNumbers own = matrix(1000, 500, 1);
  TensorNumbers other = own;
  for (std::uint64_t row = 0; row < 480; ++row)
    for (std::uint64_t i = 0; i < 500; ++i) other.values[row * 500 + i] *= 3;
  std::size_t left = std::size_t{1} << 20U;
  CHECK_FALSE(TensorRows(other, 500, left).find(own));
  CHECK(left == 0);
}

TEST_CASE("rows may be asked for as they follow one another") {
  const TensorNumbers whole = matrix(6, 1, 1), own = in_order(whole, {2, 3, 4, 5});
  TensorRows rows = rows_of(whole);
  CHECK(rows.find_in_order(own) == Rows{2, 3, 4, 5});
  CHECK(rows.find_in_order(in_order(whole, {2, 4, 3, 5})) == Rows{2, 3, 4, 5});
  CHECK_FALSE(rows.find_in_order(in_order(whole, {5, 4, 3, 2})));
  rows.take({3}, {1, 1});
  CHECK_FALSE(rows.find_in_order(own));
}

TEST_CASE("rows that are a part of a tensor have its order") {
  CHECK(in_order_of_range({3, 2, 4}) == Rows{2, 3, 4});
  CHECK(in_order_of_range({4, 2, 6}) == Rows{4, 2, 6});
  CHECK(in_order_of_range({}).empty());
}

TEST_CASE("a part is named by its first row and the one behind its last") {
  CHECK(part_in_words({2, 3}, 4) == "2:4");
  CHECK(part_in_words({0, 1}, 2).empty());
  CHECK(part_in_words({1, 0}, 4).empty());
}
