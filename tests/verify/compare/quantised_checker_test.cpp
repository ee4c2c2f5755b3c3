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

TEST_CASE("nothing may be lost beside what is much larger") {
  const auto boxes_and_scores = [](float score) {
    std::vector<float> rows;
    for (int i = 0; i < 32; ++i) rows.insert(rows.end(), {100.0F + i, score * i / 31});
    return values::floats(rows, {32, 2});
  };
  CHECK(judged(boxes_and_scores(0.5F), boxes_and_scores(0.45F)).passed());
  const VerifyReport lost = judged(boxes_and_scores(0.5F), boxes_and_scores(0));
  CHECK(failed(lost, "scale"));
  CHECK_FALSE(failed(lost, "sqnr"));
}

TEST_CASE("small probabilities may be lost, which is noted") {
  const auto probabilities = [](float rare) {
    std::vector<float> rows;
    for (int i = 0; i < 32; ++i) rows.insert(rows.end(), {1 - rare, rare});
    return values::floats(rows, {32, 2});
  };
  const VerifyReport lost = judged(probabilities(1e-4F), probabilities(0));
  CHECK(lost.passed());
  REQUIRE(lost.outputs[0].notes.size() == 1);
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
