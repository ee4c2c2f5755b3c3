#include "introspection/tensor_difference.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator;
using Catch::Contains;

namespace {

/// A matrix of different numbers.
TensorNumbers matrix(std::size_t rows, std::size_t columns) {
  TensorNumbers numbers;
  numbers.shape = {rows, columns};
  for (std::size_t i = 0; i < rows * columns; ++i)
    numbers.values.push_back(std::sin(1.0 + static_cast<double>(i)));
  return numbers;
}

/// The matrix in whole numbers, a scale for each row.
TensorNumbers quantised(const TensorNumbers& exact, const std::vector<double>& factors,
                        double zero_off = 0) {
  constexpr double last = 127;
  TensorNumbers numbers = exact;
  const std::size_t columns = exact.shape[1];
  for (std::size_t row = 0; row < exact.shape[0]; ++row) {
    const double step = 1 / last;
    numbers.steps.push_back(step * factors[row]);
    for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
      const double whole = std::round(exact.values[i] / step);
      numbers.at_the_last.push_back(std::abs(whole) >= last);
      numbers.values[i] = (whole - (row == 1 ? zero_off : 0)) * step * factors[row];
    }
  }
  return numbers;
}

std::string words(const TensorNumbers& one, const TensorNumbers& other) {
  return difference_of(one, other).words;
}

} // namespace

TEST_CASE("a tensor that is stored in fewer bits does not differ") {
  const TensorNumbers exact = matrix(4, 32);
  CHECK(words(exact, exact).empty());
  TensorNumbers half = exact;
  half.relative = 0x1p-10;
  for (double& value : half.values) value *= 1 + 0x1p-11;
  CHECK(words(exact, half).empty());
  CHECK(words(exact, quantised(exact, {1, 1, 1, 1})).empty());
}

TEST_CASE("nearly all numbers may be the reference's times a constant that is folded into them") {
  const TensorNumbers exact = matrix(4, 32);
  TensorNumbers other = exact;
  for (double& value : other.values) value *= 1.5;
  CHECK_THAT(words(exact, other), Contains("1.5 times the reference's") && !Contains("but for"));
  other.values[70] += 1;
  CHECK_THAT(words(exact, other), Contains("1.5 times the reference's, but for 1 of 128"));
  CHECK(difference_of(exact, other, Explained::no).differing == 128);
  for (std::size_t i = 0; i < 64; ++i) other.values[i] = std::cos(static_cast<double>(i));
  CHECK_THAT(words(exact, other), !Contains("times"));
}

TEST_CASE("single numbers and a whole row that differ are counted") {
  const TensorNumbers exact = matrix(4, 32);
  TensorNumbers other = exact;
  other.values[70] += 1;
  CHECK(difference_of(exact, other).differing == 1);
  CHECK_THAT(words(exact, other), Contains("1 of 128 numbers") && Contains("index 2 of axis 0"));
  other.values[3] += 0.5;
  CHECK_THAT(words(exact, other), Contains("2 of 128 numbers") && !Contains("index"));
}

TEST_CASE("a tensor that is scaled or in another order is told as such") {
  const TensorNumbers exact = matrix(4, 32);
  TensorNumbers scaled = exact;
  for (double& value : scaled.values) value *= 1.25;
  CHECK_THAT(words(exact, scaled), Contains("1.25 times"));
  TensorNumbers exchanged = exact;
  for (std::size_t i = 0; i < 32; ++i)
    std::swap(exchanged.values[32 + i], exchanged.values[64 + i]);
  CHECK_THAT(words(exact, exchanged),
             Contains("2 of 4 slices") && Contains("1 is the reference's 2"));
}

TEST_CASE("a scale and a zero point are told by channel") {
  const TensorNumbers exact = matrix(4, 32);
  CHECK_THAT(words(exact, quantised(exact, {1, 1, 2, 1})),
             Contains("scale") && Contains("channel 2"));
  CHECK_THAT(words(exact, quantised(exact, {1, 1, 1, 1}, 5)),
             Contains("zero point") && Contains("off by 5") && Contains("channel 1"));
  TensorNumbers one_wrong = quantised(exact, {1, 1, 1, 1});
  one_wrong.values[40] = 1;
  CHECK_THAT(words(exact, one_wrong), Contains("1 of 128 numbers"));
}

TEST_CASE("what lies beyond the last number of a scale is cut off") {
  TensorNumbers exact = matrix(1, 8);
  exact.shape = {8};
  TensorNumbers bias = exact;
  bias.steps = {1e-3};
  bias.at_the_last.assign(8, false);
  CHECK(words(exact, bias).empty());
  bias.values[2] = exact.values[2] / 2;
  bias.at_the_last[2] = true;
  CHECK_THAT(words(exact, bias), Contains("cut off in 1 of 8 numbers"));
  // Within some steps, quantisers do that on purpose.
  bias.values[2] = exact.values[2] - std::copysign(3e-3, exact.values[2]);
  CHECK(words(exact, bias).empty());
}
