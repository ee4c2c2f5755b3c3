#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"
#include "validators/layer_weights.h"

#include <model_validator/error.h>
#include <model_validator/program.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

using Lines = std::vector<std::string>;

SampleGraph model() {
  SampleGraph builder;
  const ModuleId linear = builder.module("fc", "torch.nn.modules.linear.Linear");
  builder.parameter(linear, "weight", {16, 32}).parameter(linear, "bias", {16});
  builder.graph.op(builder.call(linear, builder.frame(10))).parameters = {0, 1};
  return builder;
}

WeightRange range(double per_tensor, double per_channel) {
  WeightRange range;
  range.numbers = 512;
  range.largest = 1;
  range.channels = 16;
  range.per_tensor = per_tensor;
  range.per_channel = per_channel;
  return range;
}

std::vector<Diagnostic> findings(WeightMeter meter) {
  const SampleGraph builder = model();
  const auto found =
      test::run_check(checks::weight_range, builder.graph, {}, {},
                      [&](Context& context) { context.measure_weights = std::move(meter); });
  return {found.findings().begin(), found.findings().end()};
}

std::vector<Diagnostic> findings(const std::optional<WeightRange>& range) {
  return findings([&](const std::vector<WeightQuery>& queries, double) {
    return std::vector<std::optional<WeightRange>>(queries.size(), range);
  });
}

/// A node that reads a value that another node, or the file, makes.
ProgramNode node(const std::string& schema, std::vector<std::size_t> inputs, std::size_t output) {
  ProgramNode node;
  node.schema = schema;
  node.inputs = std::move(inputs);
  node.outputs = {output};
  return node;
}

ProgramValue value(const std::string& name, std::vector<std::int64_t> shape, bool constant,
                   std::size_t maker) {
  ProgramValue value;
  value.name = name;
  value.type.shape = std::move(shape);
  if (constant) value.origin = Origin::stored;
  value.maker = maker;
  return value;
}

} // namespace

TEST_CASE("a layer that loses much in int8 is reported with what would help") {
  const auto found = findings(range(12.4, 38.7));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "the weights `fc.weight` keep a signal-to-noise ratio of 12 dB in int8 "
                            "with one scale");
  CHECK(found[0].severity == Severity::warning);
  CHECK(found[0].notes.at(1) == "with a scale for each of 16 channels it is 39 dB");
  CHECK(found[0].help == "quantise it per channel");
  CHECK(found[0].module == "fc");
}

TEST_CASE("between the thresholds it is worth knowing, beyond them it is not") {
  REQUIRE(findings(range(23, 40)).size() == 1);
  CHECK(findings(range(23, 40))[0].severity == Severity::info);
  CHECK(findings(range(26.5, 40)).empty());
  CHECK(findings(WeightRange{"float32", 512, 0, 1.0, 16, 0, 0, {}, {}, {}}).empty());
  CHECK(findings(std::optional<WeightRange>()).empty());
}

TEST_CASE("where channels do not help, groups may") {
  WeightRange poor = range(9, 14);
  CHECK(findings(poor)[0].help == "leave it in float");
  poor.grouped = 31;
  CHECK(findings(poor)[0].help == "quantise it in groups, or leave it in float");
}

TEST_CASE("dead channels, zeros and numbers that are not finite are reported") {
  WeightRange dead{"float32", 512, 0, 1.0, 16, 3, 0, {}, {}, {}};
  CHECK(findings(dead)[0].message ==
        "of the weights `fc.weight`, 3 of 16 output channels hold zeros alone");
  CHECK(findings(dead)[0].severity == Severity::info);
  WeightRange zeros{"float32", 512, 0, 0.0, 16, 16, 0, {}, {}, {}};
  CHECK(findings(zeros)[0].message == "the weights `fc.weight` are all zero");
  WeightRange infinite{"float32", 512, 2, 1.0, 16, 0, 0, {}, {}, {}};
  CHECK(findings(infinite)[0].message ==
        "the weights `fc.weight` cannot be quantised: 2 of 512 numbers are not finite");
}

TEST_CASE("channels that one scale leaves nothing of are reported, whatever the ratio") {
  const WeightRange lost{"float32", 512, 0, 1.0, 16, 0, 12, {}, {}, {}};
  REQUIRE(findings(lost).size() == 1);
  CHECK(findings(lost)[0].message == "of the weights `fc.weight`, int8 with one scale leaves only "
                                     "zeros in 12 of 16 output channels");
  CHECK(findings(WeightRange{"float32", 512, 0, 1.0, 16, 0, 2, {}, {}, {}}).empty());
}

TEST_CASE("weights that cannot be read are reported") {
  CHECK(findings(WeightMeter())[0].message ==
        "the weights cannot be checked: the model was not read from a file");
  CHECK(findings([](const auto&, double) -> std::vector<std::optional<WeightRange>> {
          throw Error(ErrorKind::missing_weights, "", "they are gone");
        })[0]
            .message == "the weights cannot be checked: they are gone");
}

TEST_CASE("the weights of nodes are found behind casts and transpositions, each once") {
  auto flow = std::make_shared<Program>();
  flow->values = {value("x", {1, 8}, false, none),      value("w", {4, 8}, true, none),
                  value("wt", {8, 4}, false, 0),        value("y", {1, 4}, false, 1),
                  value("k", {6, 4, 3, 3}, true, none), value("z", {}, false, 2),
                  value("again", {}, false, 3)};
  flow->nodes = {node("onnx::Transpose", {1}, 2), node("onnx::MatMul", {0, 2}, 3),
                 node("onnx::ConvTranspose", {3, 4}, 5), node("onnx::MatMul", {0, 2}, 6)};
  SampleGraph builder;
  builder.graph.program = flow;
  const auto weights = layer_weights(builder.graph);
  REQUIRE(weights.size() == 2);
  CHECK(weights[0].name == "w");
  CHECK(weights[0].axis == 0);
  CHECK(weights[1].name == "k");
  CHECK(weights[1].axis == 1);
}

TEST_CASE("the product of two computed tensors has no weights") {
  auto flow = std::make_shared<Program>();
  flow->values = {value("x", {1, 8}, false, none), value("y", {1, 8}, false, 0),
                  value("z", {1, 8}, false, 1), value("row", {8}, true, none)};
  flow->nodes = {node("onnx::Relu", {0}, 1), node("onnx::MatMul", {0, 1}, 2),
                 node("onnx::MatMul", {0, 3}, 2)};
  SampleGraph builder;
  builder.graph.program = flow;
  CHECK(layer_weights(builder.graph).empty());
}
