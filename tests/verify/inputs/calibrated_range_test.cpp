#include "verify/inputs/calibrated_range.h"
#include "verify/inputs/input_meaning.h"
#include "verify/inputs/input_values.h"
#include "verify/inputs/sample_sizes.h"

#include <model_validator/graph_builder.h>
#include <model_validator/quantisation.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

/// An input that a quantiser rounds to `int8`, or not at all.
struct Rounded {
  GraphBuilder graph;
  OpId input = none;

  explicit Rounded(const std::vector<double>& scales, std::vector<double> zero_points = {0}) {
    Op op;
    op.name = "x";
    op.type = "input";
    op.kind = OpKind::input;
    input = graph.add_op(op);
    if (!scales.empty()) add_steps(scales, std::move(zero_points));
  }
  void add_steps(const std::vector<double>& scales, std::vector<double> zero_points) {
    Op op;
    op.name = op.type = "quantize_per_tensor";
    const OpId steps = graph.add_op(op);
    op.name = op.type = "dequantize";
    const OpId back = graph.add_op(op);
    Quantisation rounded{"int8",
                         {"s", {}, true, true, scales},
                         {"z", {}, true, true, std::move(zero_points)},
                         std::nullopt,
                         0};
    graph.add_product(input, steps, {"", 0, 0, {}});
    graph.add_product(steps, back, {"", 0, 0, {}, std::make_shared<const Quantisation>(rounded)});
  }
};

} // namespace

TEST_CASE("the steps of a copy say what its inputs were") {
  const Rounded rounded({0.01}, {-28});
  const auto range = calibrated_range(rounded.graph, rounded.input).value();
  CHECK(range.low == Approx(-1));
  CHECK(range.high == Approx(1.55));
  Rounded twice({0.01});
  twice.add_steps({0.005}, {0});
  CHECK(calibrated_range(twice.graph, twice.input)->high == Approx(0.635));
}

TEST_CASE("what is not rounded, or in several ways, has no range") {
  for (const Rounded& each : {Rounded({}), Rounded({0.1, 0.2}), Rounded({0.1}, {}), Rounded({-1})})
    CHECK_FALSE(calibrated_range(each.graph, each.input));
}

TEST_CASE("inputs that are made up stay within the range") {
  const Rounded rounded({0.01});
  std::vector<InputNeed> needs(1);
  needs[0].name = "x";
  needs[0].dtype = DType::float32;
  needs[0].shape = Shape{4, 500};
  find_meanings(rounded.graph, needs);
  REQUIRE(needs[0].meaning.calibrated);
  const Tensor made = meaningful_tensor(needs[0], DType::float32, {4, 500}, {}, 1, {});
  const auto* numbers = static_cast<const float*>(made.view.data);
  const auto [least, greatest] = std::minmax_element(numbers, numbers + 2000);
  CHECK(*least >= -1.28F);
  CHECK(*least < -0.6F);
  CHECK(*greatest <= 1.27F);
  CHECK(*greatest > 0.6F);
}
