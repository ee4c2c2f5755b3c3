#include "checker_fixture.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace model_validator::verify;

namespace {

bool same_bits(const Value& reference, const Value& candidate) {
  return checked(reference, candidate, ExactValueChecker()).passed();
}

} // namespace

TEST_CASE("the same bits are exact, whatever they stand for") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(same_bits(values::floats({1, -0.0F, nan}), values::floats({1, -0.0F, nan})));
}

TEST_CASE("other bits are not, however near their values are") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(same_bits(values::floats({0}), values::floats({-0.0F})));
  CHECK_FALSE(same_bits(values::floats({nan}), values::floats({-nan})));
  CHECK_FALSE(same_bits(values::floats({1}), values::floats({std::nextafter(1.0F, 2.0F)})));
  const auto report = checked(values::floats({1, 2}), values::floats({1, 3}), ExactValueChecker());
  CHECK_THAT(report.first_failure(), Catch::Contains("1 of 2 elements (50%) differ in their bits"));
}
