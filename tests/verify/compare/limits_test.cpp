// Each limit of the comparison lies between a pair that passes and one that does not.

#include "checker_fixture.h"
#include "random_values.h"
#include "verify/compare/explanation.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

constexpr std::size_t side = 64;
constexpr double below = 0.95, above = 1.05;

/// A square of values, each of which other runs move by one, up or down in turn.
OutputRuns moved_by_one(double value) {
  OutputRuns runs{{side, side}, std::vector<double>(side * side, value), {}, {}};
  runs.candidate = runs.reference;
  runs.others.push_back(runs.reference);
  for (std::size_t i = 0; i < runs.size(); ++i) runs.others[0][i] += i % 2 == 0 ? 1 : -1;
  return runs;
}

/// The worst excess where elements from `begin` to `end` are off by so much, up and down in turn.
std::string excess(const NoiseLimits& limits, std::size_t begin, std::size_t end, double error) {
  OutputRuns runs = moved_by_one(0);
  for (std::size_t i = begin; i < end; ++i) runs.candidate[i] += i % 2 == 0 ? error : -error;
  const auto found = find_excess(runs, limits, 0);
  return found ? found->words : "";
}

void check_limits(const NoiseLimits& limits, const NoiseLimits& expected) {
  constexpr std::size_t all = side * side;
  CHECK(excess(limits, 0, all, below * expected.whole).empty());
  CHECK_THAT(excess(limits, 0, all, above * expected.whole), Catch::Contains("the output"));
  CHECK(excess(limits, side, 2 * side, below * expected.group).empty());
  CHECK_THAT(excess(limits, side, 2 * side, above * expected.group),
             Catch::Contains("index 1 of axis 0"));
  if (expected.element > 1e10) return;
  CHECK(excess(limits, 7, 8, below * expected.element).empty());
  CHECK_THAT(excess(limits, 7, 8, above * expected.element), Catch::Contains("element (0, 7)"));
}

VerifyReport by_default(const Value& reference, const Value& candidate,
                        DefaultOptions options = {}) {
  return checked(reference, candidate, DefaultValueChecker(std::move(options)));
}

/// Whether a check fails where one float32 element is off by so much.
bool fails(const std::string& check, const std::vector<float>& numbers, std::size_t place,
           float error, std::vector<std::int64_t> shape = {}) {
  auto others = numbers;
  others[place] += error;
  if (shape.empty()) shape = {static_cast<std::int64_t>(numbers.size())};
  return failed(by_default(values::floats(numbers, shape), values::floats(others, shape)), check);
}

/// Whether a check fails where 4000 numbers of ±3/8 beside a one differ by some steps of the format
/// in so many places, up and down in turn.
bool fails_in_steps(const std::string& check, DType dtype, std::uint16_t one, std::uint16_t other,
                    std::uint16_t steps, std::size_t places) {
  constexpr std::uint16_t minus = 0x8000;
  std::vector<std::uint16_t> x(4000, other);
  for (std::size_t i = 1; i < x.size(); i += 2) x[i] |= minus;
  x[0] = one;
  auto y = x;
  for (std::size_t i = 1; i <= places; ++i)
    y[i] = static_cast<std::uint16_t>(i / 2 % 2 == 0 ? y[i] + steps : y[i] - steps);
  return failed(by_default({values::tensor_of(dtype, x)}, {values::tensor_of(dtype, y)}), check);
}

} // namespace

TEST_CASE("what runs explain has a limit over the output, at an index and of an element") {
  check_limits(Limits{}.stored, {2, 3.5, 12});
  check_limits(Limits{}.calibrated, {3, 5, 25});
  check_limits({Limits{}.whole_by_rounding, Limits{}.group_by_rounding, 1e300}, {8, 16, 1e300});
}

TEST_CASE("the scale of an output may be off by five times what chance makes of it") {
  OutputRuns runs = moved_by_one(1);
  const double chance = 1.0 / side; // the deviation of the mean of so many errors of one
  for (const double times : {4.8, 5.2}) {
    for (double& value : runs.candidate) value = 1 + times * chance;
    CHECK(find_excess(runs, Limits{}.stored, 0).has_value() == (times > 5));
  }
}

TEST_CASE("fewer than four elements at an index are no group") {
  for (const std::size_t length : {3U, 4U}) {
    OutputRuns runs{
        {100, static_cast<std::int64_t>(length)}, std::vector<double>(100 * length, 0.0), {}, {}};
    runs.others.push_back(std::vector<double>(100 * length, 1.0));
    runs.candidate = runs.reference;
    for (std::size_t i = 0; i < length; ++i) runs.candidate[i] = i % 2 == 0 ? 3.7 : -3.7;
    CHECK(find_excess(runs, Limits{}.stored, 0).has_value() == (length == 4));
  }
}

TEST_CASE("an element that no run moves may be off as one that moves by a quarter of the others") {
  OutputRuns runs = moved_by_one(0);
  for (std::size_t i = 0; i < side; ++i) runs.others[0][i] = 0;
  const double quarter = 0.25 * std::sqrt(static_cast<double>(side - 1) / side);
  runs.candidate[5] = below * Limits{}.stored.element * quarter;
  CHECK_FALSE(find_excess(runs, Limits{}.stored, 0));
  runs.candidate[5] = above * Limits{}.stored.element * quarter;
  CHECK(find_excess(runs, Limits{}.stored, 0));
}

TEST_CASE("a whole number may go twice as far as another run, to the same side") {
  OutputRuns runs{{1}, {10}, {0}, {{12}, {10}}};
  for (const double value : {9.0, 11.0, 14.0, 15.0}) {
    runs.candidate[0] = value;
    CHECK(is_shown(runs, 0) == (value > 10 && value < 15));
  }
}

TEST_CASE("an element is excused up to sixteen times the noise near it") {
  OutputRuns runs = moved_by_one(100);
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs.others[0][i] = runs.reference[i] + (i % 2 == 0 ? 1e-3 : -1e-3);
  runs.others[0][5] = runs.reference[5];
  runs.candidate[5] += 15e-3;
  CHECK(find_excuses(runs, {}).excused[5]);
  runs.candidate[5] += 2e-3;
  CHECK_FALSE(find_excuses(runs, {}).excused[5]);
}

TEST_CASE("an element is excused up to four times its own change, and twice the greatest step") {
  OutputRuns runs = moved_by_one(100);
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs.others[0][i] = runs.reference[i] + (i % 2 == 0 ? 1e-3 : -1e-3);
  runs.others[0][5] = runs.reference[5] + 0.1;
  for (const double times : {below * 4, above * 4}) {
    runs.candidate[5] = runs.reference[5] + times * 0.1;
    CHECK(find_excuses(runs, {}).excused[5] == (times < 4));
  }
  for (const double times : {below * 2, above * 2}) {
    runs.candidate[5] = runs.reference[5] + times * 0.1;
    CHECK(find_excuses(runs, {0, true}).excused[5] == (times < 2));
  }
}

TEST_CASE("rows of fewer than five have no winner") {
  CHECK_FALSE(any_other_winner({{2, 4}, {1, 2, 3, 4, 1, 2, 3, 4}, {1, 2, 4, 3, 1, 2, 3, 4}, {}}));
  CHECK(any_other_winner(
      {{2, 5}, {0, 1, 2, 3, 4, 0, 1, 2, 3, 4}, {0, 1, 2, 4, 3, 0, 1, 2, 3, 4}, {}}));
}

TEST_CASE("the tolerance of each dtype") {
  CHECK_FALSE(fails_in_steps("tolerance", DType::float16, 0x3c00, 0x3600, 40, 1));  // 0.0098
  CHECK(fails_in_steps("tolerance", DType::float16, 0x3c00, 0x3600, 42, 1));        // 0.0103
  CHECK_FALSE(fails_in_steps("tolerance", DType::bfloat16, 0x3f80, 0x3ec0, 40, 1)); // 0.078
  CHECK(fails_in_steps("tolerance", DType::bfloat16, 0x3f80, 0x3ec0, 42, 1));       // 0.082
  const auto off_by = [](double error) {
    return failed(
        by_default(values::doubles({1, 0.5, 0.7}), values::doubles({1, 0.5 + error, 0.7})),
        "tolerance");
  };
  CHECK_FALSE(off_by(0.9e-10));
  CHECK(off_by(1.1e-10));
  CHECK_FALSE(fails("tolerance", {1, 0.5F, 0.7F}, 1, 0.9e-4F));
  CHECK(fails("tolerance", {1, 0.5F, 0.7F}, 1, 1.1e-4F));
}

TEST_CASE("the correlation that each dtype must have") {
  // 36 steps are an error that lowers the correlation by 2.7e-4 if all numbers have it;
  CHECK_FALSE(fails_in_steps("pcc", DType::float16, 0x3c00, 0x3600, 36, 1270));
  CHECK(fails_in_steps("pcc", DType::float16, 0x3c00, 0x3600, 36, 1680));
  // of bfloat16 by 0.018.
  CHECK_FALSE(fails_in_steps("pcc", DType::bfloat16, 0x3f80, 0x3ec0, 36, 195));
  CHECK(fails_in_steps("pcc", DType::bfloat16, 0x3f80, 0x3ec0, 36, 265));
  auto numbers = normal_values(4000);
  numbers[0] = 100;
  for (const double times : {0.85, 1.15}) {
    const double deviation = std::sqrt(1 + 100.0 * 100 / 4000);
    const double error = std::sqrt(2e-5 * times) * deviation;
    auto others = numbers;
    for (std::size_t i = 1; i < others.size(); ++i)
      others[i] += static_cast<float>(i / 2 % 2 == 0 ? error : -error);
    CHECK(failed(by_default(values::floats(numbers), values::floats(others)), "pcc") ==
          (times > 1));
  }
}

TEST_CASE("the correlation is judged where noise would not lower it") {
  const auto is_judged = [](double middle, double deviation, const DefaultOptions& options) {
    std::vector<float> numbers;
    for (int i = 0; i < 1000; ++i)
      numbers.push_back(static_cast<float>(middle + (i % 2 == 0 ? deviation : -deviation)));
    const auto report = by_default(values::floats(numbers), values::floats(numbers), options);
    return !noted(report, "PCC not judged");
  };
  // A tenth of the bound, 1e-5, is what a correlation of 0.99999 shows of 0.00224.
  CHECK_FALSE(is_judged(1, 2.1e-3, {}));
  CHECK(is_judged(1, 2.4e-3, {}));
  DefaultOptions noisy;
  // And all of it, 4.47e-3 of one, where noise sets it.
  noisy.floors["output"] = {4.7e-3, "noise", {}};
  CHECK_FALSE(is_judged(0, 1, noisy));
  noisy.floors["output"] = {4.3e-3, "noise", {}};
  CHECK(is_judged(0, 1, noisy));
}

TEST_CASE("small values are held to a twentieth of the large ones, if there are four") {
  std::vector<float> numbers(100, 1);
  for (std::size_t i = 0; i < 4; ++i) numbers[i] = 0.02F;
  for (std::size_t i = 4; i < 50; ++i) numbers[i] = 0.2F;
  CHECK_FALSE(fails("scale", numbers, 0, 4.7e-6F));
  CHECK(fails("scale", numbers, 0, 5.4e-6F));
  numbers[3] = 0.2F;
  CHECK_FALSE(fails("scale", numbers, 0, 5.4e-6F));
}

TEST_CASE("six empty powers of two are a gap above four values, twenty above one") {
  std::vector<float> numbers(50, 1);
  for (std::size_t i = 0; i < 4; ++i) numbers[i] = 0x1p-7F;
  CHECK(fails("scale", numbers, 0, 2e-6F));
  for (std::size_t i = 0; i < 4; ++i) numbers[i] = 0x1p-6F;
  CHECK_FALSE(fails("scale", numbers, 0, 2e-6F));
  numbers = std::vector<float>(50, 1);
  for (std::size_t i = 0; i < 3; ++i) numbers[i] = 0x1p-7F;
  CHECK_FALSE(fails("scale", numbers, 0, 2e-6F));
  numbers = std::vector<float>(50, 1);
  numbers[0] = 0x1p-21F;
  CHECK(fails("scale", numbers, 0, 1e-8F));
  numbers[0] = 0x1p-20F;
  CHECK_FALSE(fails("scale", numbers, 0, 1e-8F));
}

TEST_CASE("an index of less than a quarter of the largest value has a scale of its own") {
  std::vector<float> numbers(60, 1);
  for (std::size_t i = 30; i < 60; ++i) numbers[i] = 0.24F;
  CHECK(fails("scale", numbers, 40, 5e-5F, {2, 30}));
  for (std::size_t i = 30; i < 60; ++i) numbers[i] = 0.26F;
  CHECK_FALSE(fails("scale", numbers, 40, 5e-5F, {2, 30}));
}

TEST_CASE("zeros must be zero where they are 64 times as many as the rest") {
  std::vector<float> numbers(10 + 650, 0);
  for (std::size_t i = 0; i < 10; ++i) numbers[i] = 1;
  CHECK(fails("scale", numbers, 100, 1e-6F));
  numbers.resize(10 + 630);
  CHECK_FALSE(fails("scale", numbers, 100, 1e-6F));
}
