#include "verify/command/channel_layout.h"

#include <model_validator/verify/inputs.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

RunResults results(const Shape& shape) {
  RunResults made;
  made.samples = {{{"y", tensor_of(DType::float32, shape, {1, 2, 3, 4, 5, 6})}}};
  return made;
}

} // namespace

TEST_CASE("a shape with its channels last is told from another one") {
  CHECK(in_layout_of({1, 3, 8, 9}, {1, 8, 9, 3}) == Shape{1, 3, 8, 9});
  CHECK(in_layout_of({-1, 3, -1, -1}, {1, 8, 9, 3}) == Shape{1, 3, 8, 9});
  CHECK(in_layout_of({1, 8, 9, 3}, {1, 8, 9, 3}) == Shape{1, 8, 9, 3});
  CHECK(in_layout_of({1, 3, 8, 9}, {1, 9, 8, 3}) == Shape{1, 9, 8, 3});
  CHECK(in_layout_of({3, 8}, {8, 3}) == Shape{8, 3});
}

TEST_CASE("an output with its channels last is read as the reference has it") {
  RunResults candidate = results({1, 3, 2});
  std::vector<std::string> notes;
  put_channels_second(results({1, 2, 3}), candidate, notes);
  const TensorView& view = candidate.samples[0][0].tensor.view;
  CHECK(view.shape == Shape{1, 2, 3});
  CHECK(view.strides == std::vector<std::int64_t>{6, 1, 2});
  CHECK(notes.size() == 1);
  RunResults same = results({1, 2, 3});
  put_channels_second(results({1, 2, 3}), same, notes);
  CHECK(same.samples[0][0].tensor.view.strides == std::vector<std::int64_t>{6, 3, 1});
  CHECK(notes.size() == 1);
}
