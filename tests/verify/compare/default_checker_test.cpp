#include "checker_fixture.h"
#include "random_values.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>

using namespace model_validator::verify;

namespace {

VerifyReport by_default(const Value& reference, const Value& candidate,
                        DefaultOptions options = {}) {
  return checked(reference, candidate, DefaultValueChecker(std::move(options)));
}

} // namespace

TEST_CASE("the bound is a part of the output's greatest value") {
  auto a = normal_values(2000);
  a[0] = 100;
  auto b = a;
  b[0] += 0.0099F;
  CHECK(by_default(values::floats(a), values::floats(b)).passed());
  b[0] = a[0] + 0.0101F;
  const VerifyReport report = by_default(values::floats(a), values::floats(b));
  CHECK(failed(report, "tolerance"));
  CHECK(report.outputs[0].mismatched == 1);
  CHECK_THAT(report.first_failure(), Catch::Contains("> 0.0001 · max|reference| 100 = 0.01"));
}

TEST_CASE("a reference that is zero everywhere allows no difference") {
  const auto zeros = values::floats(std::vector<float>(9, 0));
  const auto with = [](float value) {
    std::vector<float> numbers(9, 0);
    numbers[4] = value;
    return values::floats(numbers);
  };
  CHECK(by_default(zeros, zeros).passed());
  CHECK(failed(by_default(zeros, with(2e-6F)), "tolerance"));
  CHECK_FALSE(by_default(zeros, with(std::nanf(""))).passed());
  CHECK_FALSE(by_default(values::integers({0, 0}), values::integers({0, 1})).passed());
  SECTION("what may be flushed to zero is zero") {
    CHECK(by_default(zeros, with(1e-40F)).passed());
  }
  SECTION("its own noise explains one") {
    DefaultOptions options;
    options.floors["output"] = {3e-6, "noise", {}};
    CHECK(by_default(zeros, with(2e-6F), options).passed());
    CHECK_FALSE(by_default(zeros, with(4e-6F), options).passed());
  }
  SECTION("an absolute tolerance that is given decides") {
    DefaultOptions options;
    options.atol.all = 1e-7;
    CHECK_FALSE(by_default(zeros, with(2e-7F), options).passed());
    CHECK(by_default(zeros, with(0.9e-7F), options).passed());
    options.atol.all = 0;
    CHECK_FALSE(by_default(zeros, with(1e-20F), options).passed());
  }
}

TEST_CASE("an output is held to no less than its noise") {
  const auto reference = values::floats({2.2e-4F, 1e-5F});
  const auto candidate = values::floats({2.2e-4F + 2.5e-7F, 1e-5F});
  CHECK_FALSE(by_default(reference, candidate).passed());
  DefaultOptions options;
  options.floors["output"] = {4e-7, "noise of a sigmoid", {}};
  const VerifyReport report = by_default(reference, candidate, options);
  CHECK(report.passed());
  CHECK(report.outputs[0].allowed == 4e-7);
  CHECK(noted(report, "cannot be told from rounding"));
  CHECK_THAT(report.outputs[0].verdicts.at(3).message, Catch::Contains("noise of a sigmoid"));
  CHECK_FALSE(by_default(reference, values::floats({2.2e-4F + 5e-7F, 1e-5F}), options).passed());
  SECTION("a larger output is held to its own size") {
    const auto ones = values::floats({1, 0});
    CHECK(by_default(ones, ones, options).outputs[0].allowed == 1e-4);
  }
  SECTION("the user decides") {
    options.atol.all = 1e-7;
    CHECK_FALSE(by_default(reference, candidate, options).passed());
  }
  SECTION("also by a relative tolerance, which the message repeats") {
    options.tol.all = 1e-5;
    const VerifyReport strict = by_default(reference, candidate, options);
    CHECK(failed(strict, "tolerance"));
    CHECK_THAT(strict.first_failure(), Catch::Contains("1e-05 (--rtol)"));
  }
}

TEST_CASE("tolerances follow the dtype") {
  const std::vector<double> a{1, 2, 3}, b{1, 2, 3 + 1e-7};
  const VerifyReport narrow = by_default(values::doubles(a), values::doubles(b));
  CHECK_FALSE(narrow.passed());
  CHECK(noted(narrow, "seems to compute in float32"));
  DefaultOptions options;
  options.floors["output"].computed_in = DType::float32;
  CHECK(by_default(values::doubles(a), values::doubles(b), options).passed());
  CHECK(by_default(values::floats({1, 2, 3}), values::floats({1, 2, 3.00001F})).passed());
  const std::vector<std::uint16_t> x{0x3f80, 0x4000}, y{0x3f82, 0x4000}; // 1 and 1.0156
  CHECK(by_default({values::tensor_of(DType::bfloat16, x)}, {values::tensor_of(DType::bfloat16, y)})
            .passed());
}

TEST_CASE("integers and booleans are exact") {
  const VerifyReport report = by_default(values::integers({1, 2, 3}), values::integers({1, 2, 4}));
  CHECK(failed(report, "exact"));
  CHECK(by_default(values::integers({1, 2}), values::integers({1, 2})).passed());
  CHECK_FALSE(by_default(values::booleans({1, 0}), values::booleans({1, 1})).passed());
}

TEST_CASE("NaN and Inf must agree") {
  const float nan = std::nanf("");
  CHECK(by_default(values::floats({1, nan, 3}), values::floats({1, nan, 3})).passed());
  const VerifyReport report = by_default(values::floats({1, nan, 3}), values::floats({1, 2, 3}));
  CHECK(failed(report, "non-finite"));
  CHECK(report.outputs[0].mismatched == 1);
  CHECK_FALSE(by_default(values::floats({INFINITY, 1}), values::floats({-INFINITY, 1})).passed());
}

TEST_CASE("the PCC finds what the bound allows") {
  std::vector<float> a(1000);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1 + static_cast<float>(i) / 1000;
  auto b = a;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] += i % 2 == 0 ? 1.8e-4F : -1.8e-4F;
  DefaultOptions strict;
  strict.pcc.all = 0.99999999;
  CHECK(by_default(values::floats(a), values::floats(b)).passed());
  CHECK(failed(by_default(values::floats(a), values::floats(b), strict), "pcc"));
}

TEST_CASE("the PCC is not used where it says nothing") {
  const VerifyReport constant = by_default(values::floats(std::vector<float>(9, 2)),
                                           values::floats(std::vector<float>(9, 2)));
  CHECK(constant.passed());
  CHECK(noted(constant, "a side has no variance"));
  auto a = normal_values(1000);
  for (float& value : a) value = 100 + 1e-4F * value;
  auto b = a;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] += i % 2 == 0 ? 5e-5F : -5e-5F;
  const VerifyReport flat = by_default(values::floats(a), values::floats(b));
  CHECK(flat.passed());
  CHECK(noted(flat, "varies too little"));
}

TEST_CASE("tolerances can be given for all outputs and for one") {
  const Value a =
      values::dict({{"logits", values::floats({1, 2})}, {"hidden", values::floats({1, 2})}});
  const Value b =
      values::dict({{"logits", values::floats({1, 2.1F})}, {"hidden", values::floats({1, 2.1F})}});
  DefaultOptions options;
  options.atol = parse_tolerances("logits=0.2", "--atol");
  options.pcc.all = 0.5;
  const VerifyReport report = by_default(a, b, options);
  CHECK(report.outputs.at(0).passed());
  CHECK_FALSE(report.outputs.at(1).passed());
}

TEST_CASE("an integer output may be given a tolerance") {
  DefaultOptions options;
  options.atol.all = 1;
  CHECK(by_default(values::integers({1, 2, 3}), values::integers({1, 2, 4}), options).passed());
  CHECK_FALSE(
      by_default(values::integers({1, 2, 3}), values::integers({1, 2, 5}), options).passed());
}

TEST_CASE("swapped outputs of like values do not pass") {
  const auto a = normal_values(100), b = normal_values(100, 3);
  const VerifyReport report = by_default(values::list({values::floats(a), values::floats(b)}),
                                         values::list({values::floats(b), values::floats(a)}));
  CHECK_FALSE(report.outputs.at(0).passed());
  CHECK_FALSE(report.outputs.at(1).passed());
}

TEST_CASE("an error that the PCC misses does not pass by default") {
  const auto a = normal_values(10000);
  const auto change = [&](auto alter) {
    auto b = a;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = alter(i, b[i]);
    return by_default(values::floats(a), values::floats(b)).passed();
  };
  CHECK(change([](std::size_t, float x) { return x * 1.000001F; }));
  CHECK_FALSE(change([](std::size_t, float x) { return 2 * x; }));
  CHECK_FALSE(change([](std::size_t, float x) { return x + 100; }));
  CHECK_FALSE(change([](std::size_t i, float x) { return i == 77 ? x + 0.1F : x; }));
  const std::vector<float> ones(100, 1), twos(100, 2);
  CHECK_FALSE(by_default(values::floats(ones), values::floats(twos)).passed());
  auto constant = ones, varying = normal_values(100);
  constant[7] = varying[7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(by_default(values::floats(constant), values::floats(varying)).passed());
  CHECK_FALSE(by_default(values::floats(varying), values::floats(constant)).passed());
}

namespace {

/// A matrix of ten columns.
Value matrix(const std::vector<float>& numbers) {
  return {values::tensor_of(DType::float32, numbers,
                            {static_cast<std::int64_t>(numbers.size() / 10), 10})};
}

std::vector<float> changed(std::vector<float> numbers,
                           const std::function<float(std::size_t, float)>& change) {
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = change(i, numbers[i]);
  return numbers;
}

} // namespace

TEST_CASE("a sentinel does not excuse all the others") {
  const float lowest = std::numeric_limits<float>::lowest();
  const auto logits = normal_values(3200);
  for (const float sentinel : {-1e9F, lowest, 1e9F, -1e4F})
    for (const std::size_t every : {3200UL, 4UL, 2UL}) {
      CAPTURE(sentinel, every);
      const auto masked = [&](const std::function<float(std::size_t, float)>& change) {
        return matrix(changed(logits, [&](std::size_t i, float x) {
          return i % every == 0 ? sentinel : change(i, x);
        }));
      };
      const Value reference = masked([](std::size_t, float x) { return x; });
      const auto passes = [&](const std::function<float(std::size_t, float)>& change) {
        return by_default(reference, masked(change)).passed();
      };
      CHECK_FALSE(passes([](std::size_t, float) { return 0.F; }));
      CHECK_FALSE(passes([&](std::size_t i, float) { return logits[(i + 1) % logits.size()]; }));
      CHECK_FALSE(passes([](std::size_t, float x) { return x * 1.01F; }));
      CHECK_FALSE(passes([](std::size_t i, float x) { return i == 77 ? x + 0.1F : x; }));
      CHECK(passes([](std::size_t, float x) { return x * 1.000001F; }));
    }
}

TEST_CASE("a sentinel does not excuse one value beside it") {
  const auto masked = [](float score) { return values::floats({-1e9F, score, -1e9F, -1e9F}); };
  CHECK(failed(by_default(masked(0.3F), masked(0.9F)), "scale"));
  CHECK(failed(by_default(masked(0.3F), masked(0.F)), "scale"));
  CHECK(by_default(masked(0.3F), masked(0.3000001F)).passed());
}

TEST_CASE("the scores of three detections are judged apart from their boxes") {
  const auto detected = [](float factor) {
    std::vector<float> rows;
    for (const float score : {0.9F, 0.7F, 0.4F})
      for (const float value : {81.F, 122.F, 340.F, 600.F, factor * score}) rows.push_back(value);
    return values::floats(rows, {3, 5});
  };
  CHECK(failed(by_default(detected(1), detected(1.05F)), "scale"));
  CHECK(by_default(detected(1), detected(1.000001F)).passed());
}

TEST_CASE("a row that is larger by orders of magnitude does not excuse the others") {
  const auto scaled = [](std::size_t i, float x) { return i < 10 ? 1e5F * x : x; };
  const auto a = changed(normal_values(1000), scaled);
  const VerifyReport report = by_default(
      matrix(a), matrix(changed(a, [](std::size_t i, float x) { return i < 10 ? x : 0.F; })));
  CHECK(failed(report, "scale"));
  CHECK_THAT(report.first_failure(), Catch::Contains("beside others of up to"));
  CHECK(
      by_default(matrix(a), matrix(changed(a, [](std::size_t, float x) { return x * 1.000001F; })))
          .passed());
}

TEST_CASE("boxes do not excuse the scores beside them") {
  const auto noise = normal_values(4000);
  const auto at = [&](std::size_t i) { return std::fabs(noise[i]) / 4; };
  std::vector<float> a(4000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t column = i % 10;
    if (column < 4)
      a[i] = 640 * at(i);
    else
      a[i] = column == 9 ? std::floor(79 * at(i)) : at(i);
  }
  const auto failing = [&](std::size_t column, const std::function<float(float)>& change) {
    const auto b =
        changed(a, [&](std::size_t i, float x) { return i % 10 == column ? change(x) : x; });
    return !by_default(matrix(a), matrix(b)).passed();
  };
  CHECK_FALSE(failing(5, [](float x) { return x * 1.000001F; }));
  CHECK(failing(5, [](float x) { return x * 1.05F; }));
  CHECK(failing(6, [](float x) { return std::exp(x); }));
  CHECK(failing(7, [](float x) { return x > 0.5F ? x - 0.01F : x; }));
  // The noise of the boxes, from which scores may be computed, is for other runs to explain.
  CHECK(failing(5, [](float x) { return x + 3e-4F; }));
}

TEST_CASE("noise that is one for all values is no difference of scale") {
  const auto a = normal_values(100000), noise = normal_values(100000, 3);
  const auto with = [&](float size) {
    return matrix(changed(a, [&](std::size_t i, float x) { return x + size * noise[i]; }));
  };
  CHECK(by_default(matrix(a), with(2e-6F)).passed());
  CHECK(failed(by_default(matrix(a), with(5e-5F)), "scale"));
}

TEST_CASE("the least relative tolerance passes, and half of it does not") {
  auto a = normal_values(1000);
  a[3] = 1e6F;
  const auto b = changed(a, [](std::size_t, float x) { return x * 1.003F; });
  DefaultOptions options;
  options.find_tightest = true;
  const auto least = by_default(matrix(a), matrix(b), options).outputs[0].least_rtol;
  REQUIRE(least);
  CHECK(*least == Approx(0.003).epsilon(0.01));
  options.tol.all = *least * 1.01;
  CHECK(by_default(matrix(a), matrix(b), options).passed());
  options.tol.all = *least / 2;
  CHECK_FALSE(by_default(matrix(a), matrix(b), options).passed());
}

TEST_CASE("a tolerance for an output that is not there is an error that lists the outputs") {
  const Value result =
      values::dict({{"logits", values::floats({1, 2})}, {"probs", values::floats({3})}});
  for (OutputTolerances DefaultOptions::*which :
       {&DefaultOptions::tol, &DefaultOptions::atol, &DefaultOptions::pcc}) {
    DefaultOptions options;
    (options.*which).by_output = {{"nonsense", 0.5}};
    try {
      by_default(result, result, options);
      FAIL("it was accepted");
    } catch (const model_validator::Error& error) {
      CHECK(error.hint() == "the outputs are `logits`, `probs`");
    }
    (options.*which).by_output = {{"probs", 0.5}};
    CHECK(by_default(result, result, options).passed());
  }
}

TEST_CASE("what the candidate calls an output is a name of it") {
  const Value reference = values::list({values::floats({1, 2}), values::floats({3, 4})});
  const Value candidate{
      Sequence{{values::floats({1, 2}), values::floats({3, 5})}, {"logits", "probs"}}};
  DefaultOptions options;
  options.tol.by_output = {{"probs", 0.5}};
  options.pcc.by_output = {{"probs", 0.0}};
  CHECK(by_default(reference, candidate, options).passed());
  CHECK_FALSE(by_default(reference, candidate).passed());
}
