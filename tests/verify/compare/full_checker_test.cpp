#include "checker_fixture.h"
#include "random_values.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

VerifyReport full(const Value& reference, const Value& candidate) {
  return checked(reference, candidate, FullValueChecker());
}

} // namespace

TEST_CASE("a good PCC does not excuse allclose") {
  const auto a = normal_values(500);
  auto b = a;
  for (float& value : b) value *= 1.001F;
  const VerifyReport report = full(values::floats(a), values::floats(b));
  CHECK_FALSE(failed(report, "pcc"));
  CHECK(failed(report, "allclose"));
  CHECK_THAT(report.first_failure(),
             Catch::StartsWith("Data mismatch -> FullChecker (all_close):"));
}

TEST_CASE("a bad PCC is the first message, and allclose fails as well") {
  const VerifyReport report = full(values::floats({1, 2, 3}), values::floats({3, 1, 2}));
  CHECK(failed(report, "pcc"));
  CHECK(failed(report, "allclose"));
  CHECK_THAT(report.first_failure(),
             Catch::StartsWith("Data mismatch -> FullChecker (compare_with_golden): "));
}

TEST_CASE("integers must be equal, however good their PCC") {
  std::vector<std::int64_t> a(1000), b;
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int64_t>(i * 1000);
  b = a;
  for (std::int64_t& value : b) ++value;
  const VerifyReport report = full(values::integers(a), values::integers(b));
  CHECK_FALSE(failed(report, "pcc"));
  CHECK(failed(report, "exact"));
}

TEST_CASE("equal outputs pass, integers without allclose") {
  CHECK(full(values::floats({1, 2, 3}), values::floats({1, 2, 3})).passed());
  CHECK(full(values::integers({1, 2, 4}), values::integers({1, 2, 4})).passed());
}
