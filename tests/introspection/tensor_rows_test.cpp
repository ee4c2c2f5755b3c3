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

TensorNumbers in_order(const TensorNumbers& numbers, const Rows& rows) {
  return TensorRows(numbers, numbers.shape[1]).take(rows, {rows.size(), numbers.shape[1]});
}

} // namespace

TEST_CASE("rows are found wherever they lie") {
  const TensorNumbers own = matrix(6, 4, 1);
  const Rows order{4, 5, 0, 1, 2, 3};
  const TensorRows turned(in_order(own, order), 4);
  CHECK(turned.find(own) == Rows{2, 3, 4, 5, 0, 1});
  CHECK_FALSE(turned.find(matrix(6, 4, 2)));
}

TEST_CASE("a row that differs in a number or in all stands where the others leave it a place") {
  const TensorNumbers own = matrix(6, 4, 1);
  TensorNumbers other = in_order(own, {4, 5, 0, 1, 2, 3});
  other.values[3 * 4] += 1; // of the reference's row 1
  CHECK(TensorRows(other, 4).find(own) == Rows{2, 3, 4, 5, 0, 1});
  for (std::size_t i = 0; i < 4; ++i) other.values[i] *= 3; // of the reference's row 4
  CHECK(TensorRows(other, 4).find(own) == Rows{2, 3, 4, 5, 0, 1});
}

TEST_CASE("where more than half of the rows are not there, none is taken") {
  const TensorNumbers own = matrix(6, 4, 1);
  TensorNumbers other = own;
  for (std::size_t i = 0; i < 4 * 4; ++i) other.values[i] *= 3;
  CHECK_FALSE(TensorRows(other, 4).find(own));
}

TEST_CASE("a row stands for one alone, and what is left for what is as large") {
  const TensorNumbers whole = matrix(6, 4, 1), first = in_order(whole, {0, 1});
  TensorRows rows(whole, 4);
  CHECK_FALSE(rows.rest(matrix(4, 4, 9)));
  rows.take(*rows.find(first), first.shape);
  CHECK_FALSE(rows.find(first));
  CHECK(rows.rest(matrix(4, 4, 9)) == Rows{2, 3, 4, 5});
  CHECK_FALSE(rows.rest(matrix(3, 4, 9)));
}

TEST_CASE("no more than a number of rows are compared with one another") {
  constexpr std::uint64_t most = std::uint64_t{1} << 13; // whose square is the limit
  const TensorNumbers own = matrix(most, 1, 1), more = matrix(most + 1, 1, 1);
  CHECK(TensorRows(own, 1).find(own));
  CHECK_FALSE(TensorRows(more, 1).find(own));
}

TEST_CASE("a part is named by its first row and the one behind its last") {
  CHECK(part_in_words({2, 3}, 4) == "2:4");
  CHECK(part_in_words({0, 1}, 2).empty());
  CHECK(part_in_words({1, 0}, 4).empty());
}
