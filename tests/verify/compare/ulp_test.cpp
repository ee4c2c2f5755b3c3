#include "verify/compare/ulp.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <memory>

using namespace model_validator::verify;

namespace {

std::uint64_t steps(double a, double b, DType dtype) {
  const auto block = std::make_unique<Block>();
  block->a[0] = a;
  block->b[0] = b;
  return max_ulp(*block, 1, *float_format(dtype));
}

} // namespace

TEST_CASE("neighbouring numbers are one step apart") {
  CHECK(steps(1, std::nextafter(1.0F, 2.0F), DType::float32) == 1);
  CHECK(steps(1, std::nextafter(1.0, 0.0), DType::float64) == 1);
  CHECK(steps(1, 1 + 0x1p-10, DType::float16) == 1);
  CHECK(steps(1, 1 + 0x1p-7, DType::bfloat16) == 1);
  CHECK(steps(1, 1.125, DType::float8_e4m3fn) == 1);
}

TEST_CASE("steps are counted across powers of two, subnormals and zero") {
  CHECK(steps(0x1p-14, 0x1p-14 - 0x1p-24, DType::float16) == 1);
  CHECK(steps(0x1p-24, -0x1p-24, DType::float16) == 2);
  CHECK(steps(0x1p-126, 0x1p-126 - 0x1p-133, DType::bfloat16) == 1);
  CHECK(steps(0x1p-133, -0x1p-133, DType::bfloat16) == 2);
  CHECK(steps(0x1p-6, 0x1p-6 - 0x1p-9, DType::float8_e4m3fn) == 1);
  CHECK(steps(0x1p-16, -0x1p-16, DType::float8_e5m2) == 2);
  CHECK(steps(0.0, -0.0, DType::float32) == 0);
  CHECK(steps(0.0, -0.0, DType::float64) == 0);
  CHECK(steps(std::numeric_limits<float>::denorm_min(), 0, DType::float32) == 1);
  CHECK(steps(std::numeric_limits<double>::denorm_min(), 0, DType::float64) == 1);
}

TEST_CASE("the farthest two numbers do not overflow the count") {
  constexpr auto most = std::numeric_limits<float>::max();
  CHECK(steps(-most, most, DType::float32) == 2 * 0x7f7fffffULL);
  CHECK(steps(-65504, 65504, DType::float16) == 2 * 0x7bffULL);
  constexpr auto wide = std::numeric_limits<double>::max();
  CHECK(steps(-wide, wide, DType::float64) == 2 * 0x7fefffffffffffffULL);
}

TEST_CASE("the greatest of many is found") {
  const auto block = std::make_unique<Block>();
  for (int i = 0; i < 100; ++i) block->a[i] = block->b[i] = 1;
  block->b[63] = 1 + 5 * 0x1p-23;
  CHECK(max_ulp(*block, 100, *float_format(DType::float32)) == 5);
}
