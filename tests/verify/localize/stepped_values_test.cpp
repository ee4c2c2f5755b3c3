#include "verify/localize/stepped_values.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

at::Tensor in_steps(const at::Tensor& values, double step) {
  return at::clamp(at::round(values / step), -128, 127) * step;
}

SteppedRatio ratio_of(const at::Tensor& reference, const at::Tensor& candidate) {
  return stepped_ratio(sketch_of(reference), sketch_of(candidate));
}

const at::Tensor values = at::linspace(-1, 1, 2000);

} // namespace

TEST_CASE("steps explain what rounding to them costs, however wide they are") {
  for (const double step : {0.01, 0.03, 0.1}) {
    const auto ratio = ratio_of(values, in_steps(values, step));
    CHECK(ratio.explained == Approx(10 * std::log10(4 / (step * step))).epsilon(0.02));
    CHECK(ratio.kept == Approx(ratio.explained).margin(0.5));
  }
}

TEST_CASE("a few values beyond the range of the steps are left out, and no more") {
  auto outlier = values.clone();
  outlier[7] = 40;
  const auto one = ratio_of(outlier, in_steps(outlier, 0.01));
  CHECK(one.kept == Approx(46).margin(1));
  const auto many = ratio_of(values, in_steps(values, 0.005)); // which end at 0.64
  CHECK(many.kept < 20);
}

TEST_CASE("steps do not explain another scale or zero point") {
  const auto stepped = in_steps(values, 0.01);
  for (const auto& wrong : {stepped * 1.2, stepped + 0.1, -stepped}) {
    const auto ratio = ratio_of(values, wrong);
    CHECK(ratio.kept < ratio.explained - 6);
  }
}

TEST_CASE("without steps nothing is explained, and all that is kept counts") {
  const auto ratio = ratio_of(values, values * 1.1);
  CHECK(ratio.kept == Approx(20).epsilon(1e-3));
  CHECK(std::isinf(ratio.explained));
  CHECK(joint_sqnr(20, 20) == Approx(17).epsilon(1e-2));
  CHECK(joint_sqnr(20, ratio.explained) == Approx(20));
}

TEST_CASE("values that share their steps with a sentinel are lost") {
  const auto scores = at::randn({4, 64});
  auto masked = scores.clone();
  masked.narrow(1, 48, 16).fill_(-3.4e38);
  const auto rounded = [](const at::Tensor& exact, double step) {
    return (exact / step).round() * step;
  };
  CHECK(ratio_of(masked, rounded(masked, 1.3e36)).is_lost);
  CHECK_FALSE(ratio_of(masked, masked).is_lost);
  auto gentle = scores.clone();
  gentle.narrow(1, 48, 16).fill_(-100);
  CHECK_FALSE(ratio_of(gentle, rounded(gentle, 0.4)).is_lost);
  auto cut_off = at::relu(scores) * 79;
  cut_off[0][0] = 1e-5; // beside zeros
  CHECK_FALSE(ratio_of(cut_off, rounded(cut_off, 1)).is_lost);
  const auto nothing_else = at::where(masked < -1e30, masked, at::zeros({}));
  CHECK_FALSE(ratio_of(nothing_else, rounded(nothing_else, 1.3e36)).is_lost);
}

TEST_CASE("the range that a file states for a value is held against its numbers") {
  const at::Tensor value = at::sin(at::arange(0, 512, at::kDouble)) * 3;
  const auto in = [&](double scale, double zero) {
    return ratio_in_steps(value, {scale, zero, -128, 127});
  };
  const double fine = 3.0 / 127;
  CHECK(in(fine, 0).kept > 40);
  CHECK(in(fine, 0).kept == Approx(in(fine, 0).explained).margin(2));
  CHECK(in(fine, 90).kept < 10); // half of it lies beyond
  CHECK(in(fine / 4, 0).kept < 10);
  const auto coarse = in(fine * 60, 0); // in few steps of those that there are
  CHECK(coarse.kept < coarse.explained - 6);
  CHECK(in(fine * 2, 0).kept > in(fine * 2, 0).explained - 6);
}
