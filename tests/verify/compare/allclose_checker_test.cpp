#include "checker_fixture.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

VerifyReport allclose(const Value& reference, const Value& candidate,
                      AllCloseOptions options = {}) {
  return checked(reference, candidate, AllCloseValueChecker(options));
}

} // namespace

TEST_CASE("the candidate is in the denominator") {
  AllCloseOptions options;
  options.rtol = 0.5;
  options.atol = 0;
  CHECK(allclose(values::floats({1}), values::floats({2}), options).passed());
  const VerifyReport report = allclose(values::floats({2}), values::floats({1}), options);
  CHECK_FALSE(report.passed());
  CHECK(report.outputs[0].mismatch_rule == "|d| ≤ 0 + 0.5 · |candidate|");
}

TEST_CASE("every violation is counted and the first message is TT-Forge's") {
  const VerifyReport report =
      allclose(values::floats({1, 2, 3, 4}, {2, 2}), values::floats({1, 2.5F, 3, 5}, {2, 2}));
  CHECK(report.outputs[0].mismatched == 2);
  CHECK_THAT(report.first_failure(),
             Catch::StartsWith("Data mismatch -> AllCloseValueChecker (all_close):\n- Tensor "
                               "mismatch. Required rtol=1e-05, atol=1e-08\n- Observed maximum "
                               "relative diff: 0.25, maximum absolute diff: 1\n- Framework "
                               "output: (torch.Size([2, 2]))"));
  CHECK_THAT(report.first_failure(), Catch::Contains("2 of 4 elements (50%) violate"));
  CHECK_THAT(report.first_failure(), Catch::Contains("at (1, 1)"));
}

TEST_CASE("NaN equals nothing unless that is asked for, infinity equals itself") {
  const Value odd = values::floats({std::nanf(""), INFINITY, 1});
  CHECK_FALSE(allclose(odd, odd).passed());
  AllCloseOptions options;
  options.equal_nan = true;
  CHECK(allclose(odd, odd, options).passed());
  CHECK_FALSE(allclose(values::floats({INFINITY}), values::floats({-INFINITY}), options).passed());
}

TEST_CASE("integers are compared exactly, and the report says so") {
  const VerifyReport report =
      allclose(values::integers({1 << 30}), values::integers({(1 << 30) + 1}));
  CHECK_FALSE(report.passed());
  CHECK(noted(report, "compared exactly"));
  CHECK(allclose(values::integers({5}), values::integers({5})).passed());
}
