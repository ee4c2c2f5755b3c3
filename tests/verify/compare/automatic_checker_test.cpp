#include "checker_fixture.h"
#include "random_values.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

const float not_a_number = std::nanf("");
const float infinite = INFINITY;

VerifyReport automatic(const Value& reference, const Value& candidate,
                       AutomaticOptions options = {}) {
  return checked(reference, candidate, AutomaticValueChecker(options));
}

std::vector<float> changed(std::vector<float> values, float (*change)(float)) {
  for (float& value : values) value = change(value);
  return values;
}

} // namespace

TEST_CASE("noise below what the PCC allows passes, more does not") {
  const auto a = normal_values(5000), noise = normal_values(5000, 2);
  for (const auto& [amount, passes] : {std::pair{0.05F, true}, {0.1F, true}, {0.3F, false}}) {
    std::vector<float> b = a;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += amount * noise[i];
    CAPTURE(amount);
    CHECK(automatic(values::floats(a), values::floats(b)).passed() == passes);
  }
}

TEST_CASE("the message is TT-Forge's, then the reason") {
  const VerifyReport report = automatic(values::floats({1, 2, 3}), values::floats({3, 1, 2}));
  CHECK_THAT(report.first_failure(),
             Catch::StartsWith("Data mismatch -> AutomaticValueChecker (compare_with_golden): "
                               "framework_model=tensor([1, 2, 3], shape=[3]), "
                               "compiled_model=tensor([3, 1, 2], shape=[3])"));
  CHECK_THAT(report.first_failure(), Catch::Contains("PCC -0.5, at least 0.99 required"));
}

TEST_CASE("booleans are judged by their dissimilarity") {
  std::vector<std::uint8_t> a(4000, 1), b(4000, 1);
  b[3] = 0;
  CHECK(automatic(values::booleans(a), values::booleans(b)).passed()); // 2 / 4001
  b[4] = 0;
  CHECK(automatic(values::booleans(a), values::booleans(b)).passed()); // 4 / 4002 = 0.0009995
  b[5] = 0;
  const VerifyReport report = automatic(values::booleans(a), values::booleans(b));
  CHECK(failed(report, "dissimilarity"));
  CHECK(automatic(values::booleans({}), values::booleans({})).passed());
}

TEST_CASE("one element is judged by allclose, and the report says so") {
  const VerifyReport report = automatic(values::floats({1}), values::floats({1.5F}));
  CHECK(failed(report, "allclose"));
  CHECK(noted(report, "one element has no PCC"));
  CHECK(noted(report, "candidate in the denominator"));
  CHECK(automatic(values::floats({1}), values::floats({1})).passed());
  CHECK_FALSE(automatic(values::floats({not_a_number}), values::floats({not_a_number})).passed());
}

TEST_CASE("an empty output passes") {
  CHECK(automatic(values::floats({}), values::floats({})).passed());
}

TEST_CASE("no false pass: a constant against what varies, a NaN in both") {
  const auto varying = changed(normal_values(100), [](float x) { return x; });
  std::vector<float> constant(100, 1), other = varying;
  constant[7] = other[7] = not_a_number;
  CHECK_FALSE(automatic(values::floats(constant), values::floats(other)).passed());
  CHECK_FALSE(automatic(values::floats(other), values::floats(constant)).passed());
}

TEST_CASE("no false pass: two different constants") {
  const std::vector<float> a(50, 1), b(50, 2);
  const VerifyReport report = automatic(values::floats(a), values::floats(b));
  CHECK(failed(report, "allclose"));
  CHECK(noted(report, "without variance"));
  CHECK(automatic(values::floats(a), values::floats(a)).passed());
}

TEST_CASE("no false pass: scaled by two") {
  const auto a = normal_values(1000);
  const auto b = changed(a, [](float x) { return 2 * x; });
  const VerifyReport report = automatic(values::floats(a), values::floats(b));
  CHECK_FALSE(failed(report, "pcc"));
  CHECK(failed(report, "concordance"));
  CHECK_THAT(report.outputs[0].verdicts[4].message, Catch::Contains("candidate ≈ 2 · reference"));
}

TEST_CASE("no false pass: shifted by a hundred") {
  const auto a = normal_values(1000);
  const auto b = changed(a, [](float x) { return x + 100; });
  const VerifyReport report = automatic(values::floats(a), values::floats(b));
  CHECK_FALSE(failed(report, "pcc"));
  CHECK(failed(report, "concordance"));
}

TEST_CASE("no false pass: one huge element carries ten thousand others") {
  auto a = normal_values(10000), b = normal_values(10000, 2);
  a[5] = b[5] = 1e5F;
  const VerifyReport report = automatic(values::floats(a), values::floats(b));
  CHECK(*report.outputs[0].metrics->pcc > 0.99999);
  CHECK_FALSE(failed(report, "pcc"));
  CHECK(failed(report, "leverage"));
}

TEST_CASE("no false pass: one wrong element among ten thousand") {
  for (float error : {0.15F, 1.0F, 5.0F}) {
    const auto a = normal_values(10000);
    auto b = a;
    b[1234] += error;
    const VerifyReport report = automatic(values::floats(a), values::floats(b));
    CAPTURE(error);
    CHECK_FALSE(failed(report, "pcc"));
    CHECK(failed(report, "outliers"));
  }
}

TEST_CASE("no false pass: two elements always correlate") {
  CHECK_FALSE(automatic(values::floats({1, 2}), values::floats({10, 2000})).passed());
}

TEST_CASE("with the PCC alone the blind spots are noted, and nothing more") {
  AutomaticOptions options;
  options.pcc_alone = true;
  const auto a = normal_values(1000);
  const auto b = changed(a, [](float x) { return 2 * x; });
  const VerifyReport report = automatic(values::floats(a), values::floats(b), options);
  CHECK(report.passed());
  CHECK(noted(report, "scaled or shifted"));
  CHECK(noted(report, "fitted line: candidate ≈ 2 · reference"));
}

TEST_CASE("where the PCC passes and allclose does not, the report gives scale, bias and "
          "leverage") {
  const auto a = normal_values(1000);
  const auto b = changed(a, [](float x) { return 1.01F * x; });
  const VerifyReport report = automatic(values::floats(a), values::floats(b));
  CHECK(report.passed());
  CHECK(noted(report, "allclose would not pass"));
  CHECK(noted(report, "candidate ≈ 1.01 · reference"));
  CHECK(noted(report, "most extreme elements the PCC is"));
}

TEST_CASE("NaN and infinities must agree, sign included, and they do not count otherwise") {
  auto a = normal_values(100);
  a[3] = not_a_number;
  a[4] = infinite;
  auto b = a;
  CHECK(automatic(values::floats(a), values::floats(b)).passed());
  b[4] = -infinite;
  CHECK(failed(automatic(values::floats(a), values::floats(b)), "non-finite"));
  b[4] = 0;
  CHECK(failed(automatic(values::floats(a), values::floats(b)), "non-finite"));
  const std::vector<float> nothing(9, not_a_number);
  CHECK(automatic(values::floats(nothing), values::floats(nothing)).passed());
}

TEST_CASE("variance that is only rounding does not fail the PCC") {
  std::vector<float> a(1000, 1), b(1000, 1);
  a[3] = std::nextafter(1.0F, 2.0F);
  b[77] = std::nextafter(1.0F, 2.0F);
  const VerifyReport report = automatic(values::floats(a), values::floats(b));
  CHECK(report.passed());
  CHECK(noted(report, "no more than its rounding"));
}

TEST_CASE("rounding to bfloat16 of heavy-tailed values passes") {
  auto a = normal_values(20000);
  for (std::size_t i = 0; i < 4; ++i) a[i * 999] *= 500;
  const auto b = changed(a, [](float x) {
    const int exponent = std::ilogb(x) - 7;
    return std::ldexp(std::round(std::ldexp(x, -exponent)), exponent);
  });
  CHECK(automatic(values::floats(a), values::floats(b)).passed());
}

TEST_CASE("a distribution with one large probability passes with proportional noise") {
  std::vector<float> a(1000, 1e-5F);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= 1 + 0.5F * std::sin(static_cast<float>(i));
  a[42] = 0.99F;
  auto b = a;
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] *= 1 + 1e-3F * std::cos(static_cast<float>(7 * i));
  CHECK(automatic(values::floats(a), values::floats(b)).passed());
}
