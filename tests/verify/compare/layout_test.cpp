#include "verify/compare/layout.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

int runs_of(const TensorView& a, const TensorView& b) {
  const PairLayout layout(a, b);
  int runs = 0;
  layout.for_each_run(0, layout.size(), [&](auto...) { ++runs; });
  return runs;
}

const float memory[64] = {};

} // namespace

TEST_CASE("two dense tensors are one run, in any order of their axes") {
  const TensorView rows = contiguous_view(memory, DType::float32, {2, 3, 4});
  CHECK(runs_of(rows, rows) == 1);
  const TensorView channels_last{memory, DType::float32, {2, 3, 4}, {12, 1, 3}};
  CHECK(runs_of(channels_last, channels_last) == 1);
}

TEST_CASE("tensors that lie differently are read in several runs") {
  const TensorView rows = contiguous_view(memory, DType::float32, {3, 4});
  const TensorView columns{memory, DType::float32, {3, 4}, {1, 3}};
  CHECK(runs_of(rows, columns) == 3);
}

TEST_CASE("axes of size one do not matter, whatever their stride") {
  const TensorView odd{memory, DType::float32, {1, 6, 1}, {999, 1, 777}};
  CHECK(runs_of(odd, contiguous_view(memory, DType::float32, {1, 6, 1})) == 1);
}

TEST_CASE("a part of the positions begins within a run") {
  const TensorView view = contiguous_view(memory, DType::float32, {4, 4});
  const TensorView padded{memory, DType::float32, {4, 4}, {8, 1}};
  const PairLayout layout(padded, view);
  std::vector<std::int64_t> offsets, lengths;
  layout.for_each_run(
      6, 5, [&](std::int64_t a, std::int64_t, std::int64_t, std::int64_t, std::int64_t length) {
        offsets.push_back(a);
        lengths.push_back(length);
      });
  CHECK(offsets == std::vector<std::int64_t>{10, 16});
  CHECK(lengths == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("coordinates name the axis of the tensor, not of the memory") {
  const TensorView columns{memory, DType::float32, {3, 4}, {1, 3}};
  const PairLayout layout(columns, columns);
  CHECK(layout.coordinates(4) == std::vector<std::int64_t>{1, 1});
}
