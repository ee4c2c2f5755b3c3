#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace model_validator;
using test::SampleGraph;

namespace {

constexpr test::Checker check{checks::mask_sentinel};

/// A constant multiplied into a mask, which is added to scores.
SampleGraph scores_with(double value, const std::string& last = "softmax") {
  SampleGraph builder;
  const OpId input = builder.op("x", OpKind::input);
  const OpId mask = builder.functional("mul", "aten::mul.Tensor", builder.frame(3));
  builder.graph.op(mask).attributes = {{"other", value}};
  const OpId sum = builder.functional("add", "aten::add.Tensor", builder.frame(4));
  const OpId end = builder.functional(last, "aten::" + last, builder.frame(5));
  builder.edge(input, mask);
  builder.edge(mask, sum);
  builder.edge(sum, end);
  return builder;
}

} // namespace

TEST_CASE("mask-sentinel finds a number beyond float16 that is added before a softmax") {
  SampleGraph builder = scores_with(-3.4e38);
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].locations[0].source.line == 3);
  CHECK(found.findings()[0].help.starts_with("write -100.0 instead"));
  REQUIRE(found.findings()[0].fix);
  CHECK(found.findings()[0].fix->rewrite->kind == Rewrite::Kind::replace_number);
  CHECK(found.findings()[0].fix->rewrite->expression == "-100.0");
  SampleGraph attention = scores_with(-65505, "scaled_dot_product_attention");
  CHECK(check(attention).findings().size() == 1);
}

TEST_CASE("mask-sentinel is silent on what float16 expresses, and away from a softmax") {
  for (const double value : {-1e4, -65504.0, -std::numeric_limits<double>::infinity()}) {
    SampleGraph builder = scores_with(value);
    CHECK(check(builder).findings().empty());
  }
  SampleGraph other = scores_with(-3.4e38, "relu");
  CHECK(check(other).findings().empty());
}

TEST_CASE("mask-sentinel is a fact where the file does not say where the number is written") {
  SampleGraph builder;
  const OpId input = builder.op("x", OpKind::input);
  const OpId mask = builder.functional("mul", "onnx::Mul");
  builder.graph.op(mask).attributes = {{"other", -3.4e38}};
  const OpId end = builder.functional("softmax", "onnx::Softmax");
  builder.edge(input, mask);
  builder.edge(mask, end);
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].severity == Severity::info);
}

TEST_CASE("mask-sentinel reads small stored tensors that are added to scores") {
  for (const double largest : {3.4e38, 65505.0, 65504.0, 1.0}) {
    SampleGraph builder;
    const OpId input = builder.op("x", OpKind::input);
    const OpId sum = builder.functional("add", "aten::add.Tensor", builder.frame(4));
    const OpId end = builder.functional("softmax", "aten::softmax", builder.frame(5));
    builder.parameter(0, "causal_mask", {8, 8}, 0, true);
    builder.graph.op(sum).parameters = {0};
    builder.edge(input, sum);
    builder.edge(sum, end);
    std::vector<std::string> asked;
    const auto found =
        test::run_check(checks::mask_sentinel, builder.graph, {}, {}, [&](Context& context) {
          context.measure_weights = [&](const std::vector<WeightQuery>& queries, double) {
            for (const WeightQuery& query : queries) asked.push_back(query.name);
            WeightRange range;
            range.largest = largest;
            return std::vector<std::optional<WeightRange>>(queries.size(), range);
          };
        });
    CHECK(asked == std::vector<std::string>{".causal_mask"});
    CHECK(found.findings().size() == (largest > 65504 ? 1 : 0));
  }
}
