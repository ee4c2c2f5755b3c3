#include "verify/compare/float_formats.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator;
using namespace model_validator::verify;

TEST_CASE("float16 patterns widen to their values") {
  CHECK(widen_float16(0x3c00) == 1.0F);
  CHECK(widen_float16(0xc000) == -2.0F);
  CHECK(widen_float16(0x7bff) == 65504.0F);
  CHECK(widen_float16(0x0001) == 0x1p-24F);
  CHECK(widen_float16(0x0400) == 0x1p-14F);
  CHECK(std::signbit(widen_float16(0x8000)));
  CHECK(widen_float16(0xfc00) == -INFINITY);
  CHECK(std::isnan(widen_float16(0x7e00)));
}

TEST_CASE("every float16 pattern equals its sign, exponent and mantissa") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const unsigned exponent = bits >> 10 & 31U, mantissa = bits & 1023U;
    const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
    const float widened = widen_float16(static_cast<std::uint16_t>(bits));
    if (exponent == 31) continue;
    const double expected = exponent == 0
                                ? std::ldexp(mantissa, -24)
                                : std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
    if (widened != static_cast<float>(sign * expected)) FAIL("pattern " << bits);
  }
}

TEST_CASE("bfloat16 is the upper half of float32") {
  CHECK(widen_bfloat16(0x3f80) == 1.0F);
  CHECK(widen_bfloat16(0xff80) == -INFINITY);
  CHECK(widen_bfloat16(0x0001) == std::ldexp(1.0F, -133));
}

TEST_CASE("float8 patterns have the values of their formats") {
  const double* e4m3fn = float8_values(DType::float8_e4m3fn);
  CHECK(e4m3fn[0x38] == 1);
  CHECK(e4m3fn[0x7e] == 448);
  CHECK(e4m3fn[0x01] == 0x1p-9);
  CHECK(std::isnan(e4m3fn[0x7f]));
  CHECK(std::isnan(e4m3fn[0xff]));
  const double* e5m2 = float8_values(DType::float8_e5m2);
  CHECK(e5m2[0x3c] == 1);
  CHECK(e5m2[0x7b] == 57344);
  CHECK(e5m2[0x7c] == INFINITY);
  CHECK(std::isnan(e5m2[0x7d]));
  CHECK(float8_values(DType::float8_e4m3fnuz)[0x7f] == 240);
  CHECK(std::isnan(float8_values(DType::float8_e4m3fnuz)[0x80]));
  CHECK(float8_values(DType::float8_e5m2fnuz)[0x7f] == 57344);
}

TEST_CASE("epsilon is the distance from one to its neighbour") {
  CHECK(epsilon_of(DType::float16) == 0x1p-10);
  CHECK(epsilon_of(DType::float32) == 0x1p-23);
  CHECK(epsilon_of(DType::int32) == 0);
}
