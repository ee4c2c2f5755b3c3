#include "checker_fixture.h"
#include "verify/compare/compared_values.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

VerifyReport compared(const Value& reference, const Value& candidate, bool allowed = false) {
  VerifyReport report = checked(reference, candidate, DefaultValueChecker());
  require_compared_values(report, allowed);
  return report;
}

Value named(Value first, Value second) {
  return values::dict({{"first", std::move(first)}, {"second", std::move(second)}});
}

} // namespace

TEST_CASE("an output of which no value was compared does not pass") {
  const Value nan = values::floats({std::nanf(""), std::nanf("")});
  const Value zeros = values::floats({0, 0, 0});
  const Value numbers = values::floats({1, 2, 3});
  SECTION("empty on both sides") {
    const Value empty = values::floats({}, {0, 4});
    CHECK(failed(compared(empty, empty), "compared"));
    CHECK(compared(empty, empty, true).passed());
    CHECK(noted(compared(empty, empty, true), "no value was compared"));
  }
  SECTION("NaN throughout, whatever the others are") {
    CHECK(failed(compared(named(nan, numbers), named(nan, numbers)), "compared"));
  }
  SECTION("zero or constant throughout, where every output is") {
    const Value ones = values::floats({1, 1});
    CHECK(failed(compared(zeros, zeros), "compared"));
    CHECK(failed(compared(named(zeros, ones), named(zeros, ones)), "compared"));
    const VerifyReport report = compared(named(zeros, numbers), named(zeros, numbers));
    CHECK(report.passed());
    CHECK(noted(report, "every element is zero on both sides"));
  }
  SECTION("what says something passes") {
    CHECK(compared(numbers, numbers).passed());
    CHECK(compared(values::floats({1}), values::floats({1})).passed());
    CHECK(compared(values::integers({3, 3}), values::integers({3, 3})).passed());
  }
}

TEST_CASE("another call that brings something out is enough") {
  VerifyReport report =
      checked(values::floats({}, {0}), values::floats({}, {0}), DefaultValueChecker());
  merge(report, checked(values::floats({1, 2}), values::floats({1, 2}), DefaultValueChecker()));
  require_compared_values(report, false);
  CHECK(report.passed());
}

TEST_CASE("a dtype of another width is told and does not fail where the configuration says so") {
  VerifyConfig config;
  config.value_checker = std::make_shared<DefaultValueChecker>();
  const Value narrow{values::tensor_of(DType::int32, std::vector<std::int32_t>{1, 2})};
  const Value wide = values::integers({1, 2});
  CHECK_FALSE(compare(wide, narrow, config).passed());
  config.allow_other_widths = true;
  const VerifyReport report = compare(wide, narrow, config);
  CHECK(report.passed());
  CHECK(noted(report, "returns int32 where the reference returns int64"));
  CHECK_FALSE(compare(wide, values::floats({1, 2}), config).passed());
  CHECK_FALSE(compare(wide, values::booleans({1, 0}), config).passed());
}
