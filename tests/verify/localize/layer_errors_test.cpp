#include "verify/localize/layer_errors.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace model_validator::verify;

namespace {

/// A model of one layer, `Conv`, whose result is stepped: quantised, and back in float.
ShowRun stepped(const at::Tensor& computed, const at::Tensor& after) {
  return [=](const IntermediateRun& run) -> std::optional<std::vector<at::Tensor>> {
    const auto show = [&](const Intermediate& value) {
      if (!run.wanted || run.wanted(value.name)) run.visit(value);
    };
    show({"y", "Conv", {}, computed, "/conv", true});
    show({"y_steps", "QuantizeLinear", {"y"}, at::zeros({2}, at::kByte), "", false});
    show({"y_back", "DequantizeLinear", {"y_steps"}, after, "", false});
    return std::vector<at::Tensor>{after};
  };
}

ShowRun plain(const at::Tensor& result) {
  return [=](const IntermediateRun& run) -> std::optional<std::vector<at::Tensor>> {
    if (!run.wanted || run.wanted("y")) run.visit({"y", "Conv", {}, result, "/conv", true});
    return std::vector<at::Tensor>{result};
  };
}

OpComparison only_layer(const at::Tensor& reference, const at::Tensor& stepped_result) {
  const auto found =
      layer_errors(plain(reference), stepped(at::full({2}, 100.0F), stepped_result)).ops;
  REQUIRE(found.size() == 1);
  CHECK(found[0].op == "/conv");
  return found[0];
}

} // namespace

TEST_CASE("a layer is compared by what others read of it, behind its steps") {
  const auto layer = only_layer(at::ones({2}), at::full({2}, 1.1F));
  CHECK(layer.introduced_sqnr.value() == Approx(20).epsilon(1e-3));
  CHECK(layer.error == Approx(0.1).epsilon(1e-3));
}

TEST_CASE("a layer whose reference gives nothing but zeros has no ratio to be ordered by") {
  CHECK_FALSE(only_layer(at::zeros({2}), at::zeros({2})).introduced_sqnr);
  CHECK_FALSE(only_layer(at::zeros({2}), at::ones({2})).introduced_sqnr);
}

TEST_CASE("the error of every layer can be ordered") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(only_layer(at::ones({2}), at::ones({2})).introduced_sqnr.value() == infinite);
  const double broken =
      only_layer(at::ones({2}), at::full({2}, std::nan(""))).introduced_sqnr.value();
  CHECK((std::isfinite(broken) && broken < -100));
}

namespace {

/// Two layers, of which the second reads the first; a copy may have the second alone.
ShowRun layers(bool has_norm, double result, const std::string& last = "y") {
  return [=](const IntermediateRun& run) -> std::optional<std::vector<at::Tensor>> {
    const auto show = [&](const Intermediate& value) {
      if (!run.wanted || run.wanted(value.name)) run.visit(value);
    };
    const auto x = at::ones({2}), y = at::full({2}, result);
    show({"a", "Conv", {}, x, "/a", true});
    if (has_norm) show({"n", "LayerNormalization", {"a"}, x, "/norm", false});
    show({last, "Gemm", {has_norm ? "n" : "a"}, y, "/fc", false});
    return std::vector<at::Tensor>{y};
  };
}

} // namespace

TEST_CASE("a layer that lacks an op is told with the reference's first op there") {
  const auto found = layer_ratios(
      layers(true, 1), layers(false, 1.5), [] { return layers(true, 1.01); }, false);
  const auto last = std::find_if(found.begin(), found.end(),
                                 [](const LayerRatio& layer) { return layer.layer == "/fc"; });
  REQUIRE(last != found.end());
  CHECK(last->first == "/norm");
  CHECK(last->kept == Approx(6.02).epsilon(1e-2));
}

TEST_CASE("an output under another name is compared") {
  const auto ops = layer_errors(layers(true, 1), layers(true, 1.1, "17")).ops;
  REQUIRE(ops.size() == 3);
  CHECK(ops.back().op == "/fc");
  CHECK(ops.back().introduced_sqnr.value() == Approx(20).epsilon(1e-3));
}
