#include "introspection/norm_difference.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator;
using Catch::Contains;

namespace {

constexpr std::size_t channels = 6, length = 9;

/// A batch norm of six channels, its own numbers and what it does to each channel.
struct Norm {
  std::vector<double> weight, bias, mean, variance;
  double epsilon = 1e-5;

  Norm() {
    for (std::size_t c = 0; c < channels; ++c) {
      const auto number = static_cast<double>(c);
      weight.push_back(0.5 + std::sin(number) / 4);
      bias.push_back(std::cos(number));
      mean.push_back(std::sin(2 * number));
      variance.push_back(0.2 + number / 8);
    }
  }
  NormFactors factors() const {
    NormFactors made;
    made.weight = weight;
    made.variance = variance;
    made.epsilon = epsilon;
    for (std::size_t c = 0; c < channels; ++c) {
      made.factor.push_back(weight[c] / std::sqrt(variance[c] + epsilon));
      made.shift.push_back(bias[c] - mean[c] * made.factor.back());
    }
    return made;
  }
};

/// A convolution's weight and bias with a norm folded in.
std::vector<LoadedTensor> folded(const Norm& norm) {
  TensorNumbers weight, bias;
  weight.shape = {channels, length};
  bias.shape = {channels};
  for (std::size_t i = 0; i < channels * length; ++i)
    weight.values.push_back(std::sin(1.0 + static_cast<double>(i)));
  bias.values.assign(channels, 0.25);
  std::vector<LoadedTensor> layer{{{"weight", "weight", false, {}}, weight},
                                  {{"bias", "bias", false, {}}, bias}};
  REQUIRE(fold(norm.factors(), layer));
  return layer;
}

std::string difference(const Norm& reference, const std::vector<LoadedTensor>& candidate) {
  return norm_difference(reference.factors(), folded(reference), candidate[0].numbers,
                         candidate[1].numbers);
}

} // namespace

TEST_CASE("what differs in a norm that was folded into a layer is named") {
  const Norm reference;
  Norm other;
  SECTION("its epsilon, which all channels show") {
    other.epsilon = 1e-2;
    CHECK_THAT(difference(reference, folded(other)), Contains("`epsilon` of 0.01"));
  }
  SECTION("the factor of a channel") {
    other.variance[2] *= 1.6;
    CHECK_THAT(difference(reference, folded(other)),
               Contains("1 of 6 channels") && Contains("channel 2 by 0.79"));
  }
  SECTION("its mean, which only shifts") {
    for (double& mean : other.mean) mean += 0.5;
    CHECK_THAT(difference(reference, folded(other)),
               Contains("6 of 6 channels") && Contains("`running_mean`"));
  }
}

TEST_CASE("a norm is not accused of what it cannot do") {
  const Norm reference;
  std::vector<LoadedTensor> candidate = folded(reference);
  SECTION("the same layer") {}
  SECTION("one in float16") {
    candidate[0].numbers.relative = 0x1p-10;
    for (double& value : candidate[0].numbers.values) value *= 1 + 0x1p-11;
  }
  SECTION("weights of the layer that differ") { candidate[0].numbers.values[11] += 0.5; }
  SECTION("other shapes") { candidate[0].numbers.shape = {length, channels}; }
  CHECK(difference(reference, candidate).empty());
}

TEST_CASE("a layer that bears the name of the norm that was folded into it is no norm") {
  const auto named = [](const std::string& schema) {
    Op op;
    op.type = "batch_norm";
    op.body =
        std::make_shared<const std::vector<Operator>>(std::vector<Operator>{{schema, {}, {}, {}}});
    return op;
  };
  CHECK(is_batch_norm(named("onnx::BatchNormalization")));
  CHECK_FALSE(is_batch_norm(named("onnx::Conv")));
}
