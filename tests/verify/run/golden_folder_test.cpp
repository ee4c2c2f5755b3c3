#include "verify/run/golden_folder.h"
#include "verify/run/scratch_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

Tensor bits(DType dtype, std::uint16_t value) { return make_tensor(dtype, {1}, &value); }

} // namespace

TEST_CASE("stored results come back with dtypes that NumPy does not have") {
  const ScratchFolder folder;
  write_golden(folder.path() / "golden",
               {"m.pt", {{{{"x", bits(DType::float16, 1)}}, {{"y", bits(DType::bfloat16, 2)}}}}});
  const auto golden = read_golden(folder.path() / "golden");
  CHECK(golden.model == "m.pt");
  REQUIRE(golden.samples.size() == 1);
  CHECK(golden.samples[0].outputs[0].name == "y");
  CHECK(golden.samples[0].outputs[0].tensor.view.dtype == DType::bfloat16);
}

TEST_CASE("stored outputs are found by the bytes of their inputs") {
  GoldenFolder golden;
  golden.samples.push_back({{{"x", bits(DType::int16, 1)}}, {{"y", bits(DType::int16, 10)}}});
  golden.samples.push_back({{{"x", bits(DType::int16, 2)}}, {{"y", bits(DType::int16, 20)}}});
  const auto outputs = golden.outputs_for({{"renamed", bits(DType::int16, 2)}});
  CHECK(*static_cast<const std::int16_t*>(outputs[0].tensor.view.data) == 20);
  CHECK_THROWS_AS(golden.outputs_for({{"x", bits(DType::int16, 3)}}), Error);
  CHECK_THROWS_AS(golden.outputs_for({{"x", bits(DType::uint16, 2)}}), Error);
}

TEST_CASE("a folder without stored results is refused") {
  const ScratchFolder folder;
  CHECK_THROWS_AS(read_golden(folder.path()), Error);
}
