#include "introspection/tensor_pairing.h"

#include <catch2/catch.hpp>

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
