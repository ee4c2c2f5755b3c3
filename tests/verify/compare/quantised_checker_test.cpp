#include "checker_fixture.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

VerifyReport judged(const Value& reference, const Value& candidate, QuantisedOptions options = {}) {
  return checked(reference, candidate, QuantisedValueChecker(std::move(options)));
}

} // namespace

TEST_CASE("a tenth of the signal may be error") {
  CHECK(judged(values::floats({1, -1, 2, 3}), values::floats({1.05F, -1, 2.1F, 2.9F})).passed());
  const VerifyReport report =
      judged(values::floats({1, -1, 2, 3}), values::floats({1.5F, -1, 2.1F, 2.9F}));
  CHECK_FALSE(report.passed());
  CHECK(failed(report, "sqnr"));
}

TEST_CASE("another ratio may be asked for") {
  QuantisedOptions options;
  options.sqnr.all = 45;
  CHECK_FALSE(judged(values::floats({1, 2}), values::floats({1.02F, 2}), options).passed());
  options.sqnr.all = 10;
  CHECK(judged(values::floats({1, 2}), values::floats({1.3F, 2}), options).passed());
}

TEST_CASE("equal values and zeros pass") {
  CHECK(judged(values::floats({1, 2}), values::floats({1, 2})).passed());
  CHECK(judged(values::floats({0, 0}), values::floats({0, 0})).passed());
  CHECK_FALSE(judged(values::floats({0, 0}), values::floats({0, 1})).passed());
}

TEST_CASE("nine in ten integers must agree") {
  const Value ten = values::integers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(judged(ten, values::integers({0, 1, 2, 3, 4, 5, 6, 7, 8, 8})).passed());
  CHECK(failed(judged(ten, values::integers({0, 1, 2, 3, 4, 5, 6, 7, 7, 7})), "agreement"));
}

TEST_CASE("NaN on one side fails whatever the rest is") {
  CHECK(failed(judged(values::floats({1, 2, 3}), values::floats({1, std::nanf(""), 3})),
               "non-finite"));
}
