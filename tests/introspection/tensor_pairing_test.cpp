#include "introspection/tensor_pairing.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace model_validator;
using Catch::Contains;

namespace {

LoadedTensor tensor(const std::string& name, std::vector<std::uint64_t> shape, double seed) {
  LoadedTensor made{{name, "", false, {}}, {}, 0};
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  made.numbers.shape = std::move(shape);
  for (std::uint64_t i = 0; i < count; ++i)
    made.numbers.values.push_back(std::sin(seed + 3 * static_cast<double>(i)));
  return made;
}

/// Matrices of four columns below one another.
LoadedTensor joined(const std::vector<LoadedTensor>& parts) {
  LoadedTensor all = tensor("all", {0, 4}, 0);
  for (const LoadedTensor& part : parts) {
    all.numbers.shape[0] += part.numbers.shape[0];
    all.numbers.values.insert(all.numbers.values.end(), part.numbers.values.begin(),
                              part.numbers.values.end());
  }
  return all;
}

std::string words(std::vector<LoadedTensor> own, std::vector<LoadedTensor> others,
                  TensorGroups groups = TensorGroups::others) {
  return TensorPairing(std::move(own), std::move(others), groups).finding().words;
}

const std::vector<LoadedTensor>& projections() {
  static const std::vector<LoadedTensor> made{tensor("q", {8, 4}, 1), tensor("k", {4, 4}, 2),
                                              tensor("v", {4, 4}, 3)};
  return made;
}

} // namespace

TEST_CASE("what an optimiser joins stands for each of its parts") {
  CHECK(words(projections(), {joined(projections())}).empty());
  CHECK(words({projections()[1]}, {joined(projections())}).empty());
}

TEST_CASE("a number of a joined tensor is found in its part") {
  auto wrong = projections();
  wrong[1].numbers.values[6] += 0.5;
  for (const auto& own : {projections(), std::vector{projections()[1]}})
    CHECK_THAT(words(own, {joined(wrong)}),
               Contains("`all[8:12]`") && Contains("`k`") && Contains("1 of 16 numbers"));
}

TEST_CASE("rows of a joined tensor that lie in another order are told, but for gates") {
  auto wrong = projections();
  for (std::size_t i = 0; i < 4; ++i)
    std::swap(wrong[0].numbers.values[4 + i], wrong[0].numbers.values[8 + i]);
  CHECK_THAT(words(projections(), {joined(wrong)}),
             Contains("`all[0:8]`") && Contains("`q`") && Contains("in another order"));
  CHECK(words({projections()[0]}, {joined(wrong)}, TensorGroups::gates).empty());
}

TEST_CASE("numbers of a joined bias that lie in another order are told") {
  const std::vector<LoadedTensor> own{tensor("q", {8}, 1), tensor("k", {4}, 2)};
  LoadedTensor all = tensor("all", {12}, 0);
  std::ranges::copy(own[0].numbers.values, all.numbers.values.begin());
  std::ranges::copy(own[1].numbers.values, all.numbers.values.begin() + 8);
  CHECK(words(own, {all}).empty());
  std::swap(all.numbers.values[1], all.numbers.values[2]);
  CHECK_THAT(words(own, {all}), Contains("`all[0:8]`") && Contains("`q`"));
}

TEST_CASE("where too many numbers would be compared, nothing is told") {
  const LoadedTensor own = tensor("w", {40, 10}, 1);
  LoadedTensor other = own;
  other.tensor.name = "W";
  other.numbers.shape.insert(other.numbers.shape.begin(), 1);
  for (std::size_t i = 0; i < 19 * 10; ++i) other.numbers.values[i] *= 3;
  const auto told = [&](std::size_t max_numbers) {
    return TensorPairing({own}, {other}, TensorGroups::gates, max_numbers).finding().words;
  };
  CHECK_FALSE(told(max_compared_numbers).empty());
  CHECK(told(2000).empty());
}

TEST_CASE("tensors that share nothing are not said to stand for one another") {
  CHECK(words({projections()[1]}, {joined({tensor("a", {8, 4}, 5), tensor("b", {4, 4}, 6)})})
            .empty());
}

TEST_CASE("a square matrix may be turned, but not where the same op reads it by the same name") {
  const LoadedTensor own = tensor("w", {3, 3}, 1);
  LoadedTensor other = own;
  for (std::size_t i = 0; i < 9; ++i)
    other.numbers.values[i] = own.numbers.values[i % 3 * 3 + i / 3];
  CHECK(words({own}, {other}).empty());
  CHECK_THAT(words({own}, {other}, TensorGroups::same_ops), Contains("6 of 9 numbers"));
  other.tensor.name = "val_7";
  CHECK(words({own}, {other}, TensorGroups::same_ops).empty());
}

TEST_CASE("a number of a turned matrix is found where the same ops read it") {
  const LoadedTensor own = tensor("w", {2, 3}, 1);
  LoadedTensor other = tensor("val_7", {3, 2}, 1);
  for (std::size_t i = 0; i < 6; ++i)
    other.numbers.values[i] = own.numbers.values[i % 2 * 3 + i / 2];
  CHECK(words({own}, {other}, TensorGroups::same_ops).empty());
  other.numbers.values[4] += 1;
  CHECK_THAT(words({own}, {other}, TensorGroups::same_ops), Contains("1 of 6 numbers"));
}

TEST_CASE("gates in the order of another format are found, and what differs in one of them") {
  const LoadedTensor input = tensor("weight_ih", {6, 4}, 1), state = tensor("weight_hh", {6, 2}, 2);
  const auto in_the_order_of_onnx = [](const LoadedTensor& own, const std::string& name) {
    LoadedTensor other = own;
    other.tensor.name = name;
    other.numbers.shape.insert(other.numbers.shape.begin(), 1);
    const auto third = static_cast<std::ptrdiff_t>(own.numbers.values.size() / 3);
    std::rotate(other.numbers.values.begin(), other.numbers.values.begin() + third,
                other.numbers.values.begin() + 2 * third);
    return other;
  };
  std::vector<LoadedTensor> others{in_the_order_of_onnx(input, "W"),
                                   in_the_order_of_onnx(state, "R")};
  CHECK(words({input, state}, others, TensorGroups::gates).empty());
  CHECK_FALSE(words({input, state}, others).empty());
  others[0].numbers.values[1] += 1; // the second gate of the reference is the first here
  CHECK_THAT(words({input, state}, others, TensorGroups::gates),
             Contains("`W`") && Contains("`weight_ih`") && Contains("1 of 24 numbers") &&
                 Contains("index 2 of axis 0"));
}

TEST_CASE("both directions of a recurrent layer lie in one tensor") {
  const LoadedTensor forward = tensor("weight", {6, 4}, 1), backward = tensor("reverse", {6, 4}, 2);
  LoadedTensor both = joined({forward, backward});
  both.numbers.shape = {2, 6, 4};
  CHECK(words({forward, backward}, {both}, TensorGroups::gates).empty());
  both.numbers.values[30] += 1;
  CHECK_THAT(words({forward, backward}, {both}, TensorGroups::gates),
             Contains("`reverse`") && Contains("1 of 24 numbers"));
}

TEST_CASE("tensors of one size are told apart by how their numbers go up and down") {
  const auto table = [](const std::string& name, double base, bool is_sine) {
    LoadedTensor made = tensor(name, {16, 6}, 0);
    for (std::size_t i = 0; i < 16 * 6; ++i) {
      const double angle = static_cast<double>(i / 6) / std::pow(base, static_cast<double>(i % 6));
      made.numbers.values[i] = is_sine ? std::sin(angle) : std::cos(angle);
    }
    return made;
  };
  const std::vector<LoadedTensor> own{table("cos", 2, false), table("sin", 2, true)};
  const std::vector<LoadedTensor> others{table("val_1", 2.2, true), table("val_2", 2.2, false)};
  CHECK_THAT(words(own, others),
             Contains("`val_2`, which is `cos`") || Contains("`val_1`, which is `sin`"));
  const auto of_another_layer = [](double seed) {
    LoadedTensor made = tensor(std::to_string(seed), {16, 6}, 0);
    for (std::size_t i = 0; i < 16 * 6; ++i)
      made.numbers.values[i] = std::sin(seed * static_cast<double>((i + 1) * (i + 1)));
    return made;
  };
  const auto unlike = [&](double one, double two) {
    return std::vector{of_another_layer(one), of_another_layer(two)};
  };
  CHECK(words(unlike(1, 2), unlike(3, 5)).empty());
}
