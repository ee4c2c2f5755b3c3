#include "introspection/ir_text.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

ConnectedGraph small_graph() {
  GraphBuilder graph;
  Module root;
  root.class_name = "net.Net";
  graph.add_module(root);
  Module layer;
  layer.path = "fc";
  layer.class_name = "torch.nn.modules.linear.Linear";
  layer.parent = 0;
  const ModuleId fc = graph.add_module(layer);
  Op input;
  input.kind = OpKind::input;
  input.type = "input";
  input.name = "x";
  input.outputs = {{std::vector<std::int64_t>{-1, 4}, "float32"}};
  graph.add_op(input);
  Parameter weight;
  weight.path = "fc.weight";
  weight.type = {std::vector<std::int64_t>{8, 4}, "float32"};
  Op linear;
  linear.kind = OpKind::module;
  linear.type = "linear";
  linear.name = "linear_0";
  linear.module = fc;
  linear.attributes = {{"bias", false}};
  linear.parameters = {graph.add_parameter(weight)};
  linear.frame = graph.add_frame({{"net.py", 7, 0, 0}, 0, none});
  linear.outputs = {TensorType{}};
  graph.add_product(0, graph.add_op(linear), {"x", 0, 0, {}});
  return graph;
}

} // namespace

TEST_CASE("types are written as people write them") {
  CHECK(to_text(TensorType{std::vector<std::int64_t>{1, -1}, "float32"}) == "float32[1, ?]");
  CHECK(to_text(TensorType{std::vector<std::int64_t>{}, "int64"}) == "int64[]");
  CHECK(to_text(TensorType{}) == "?[?]");
}

TEST_CASE("the text of a model names values, modules and lines") {
  const auto lines = ir_lines(small_graph(), IrStyle::plain);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "%x = input()");
  CHECK(lines[1] == "%linear_0 = linear(%x, fc.weight) {bias=False}  # fc, net.py:7");
}

TEST_CASE("the typed text shows what is not known") {
  const auto lines = ir_lines(small_graph(), IrStyle::typed);
  CHECK(lines[0] == "%x = input() : float32[?, 4]");
  CHECK(lines[1] ==
        "%linear_0 = linear(%x, fc.weight: float32[8, 4]) {bias=False} : ?[?]  # fc, net.py:7");
}

TEST_CASE("the canonical text holds no names and no lines") {
  for (const std::string& line : ir_lines(small_graph(), IrStyle::canonical)) {
    CHECK(line.find("linear_0") == std::string::npos);
    CHECK(line.find("net.py") == std::string::npos);
  }
}
