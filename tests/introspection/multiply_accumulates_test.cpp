#include "introspection/multiply_accumulates.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

using Shape = std::vector<std::int64_t>;

/// One op between an input and nothing.
MultiplyAccumulates count(const std::string& type, const Shape& input, const Shape& weight,
                          std::optional<Shape> output) {
  GraphBuilder graph;
  Op source;
  source.kind = OpKind::input;
  graph.add_op(source);
  Op op;
  op.type = type;
  op.outputs = {{std::move(output), "float32"}};
  if (!weight.empty()) {
    Parameter bias;
    bias.type = {Shape{weight[0]}, "float32"};
    Parameter parameter;
    parameter.type = {weight, "float32"};
    op.parameters = {graph.add_parameter(bias), graph.add_parameter(parameter)};
  }
  const OpId id = graph.add_op(op);
  graph.add_product(0, id, {"x", 0, 0, {input, "float32"}});
  return count_multiply_accumulates(graph);
}

} // namespace

TEST_CASE("a convolution multiplies each of its outputs with one kernel") {
  CHECK(count("conv2d", {1, 3, 32, 32}, {8, 3, 5, 5}, Shape{1, 8, 28, 28}).total ==
        8 * 28 * 28 * 3 * 5 * 5);
  CHECK(count("conv2d", {1, 8, 32, 32}, {8, 1, 3, 3}, Shape{1, 8, 32, 32}).total ==
        8 * 32 * 32 * 9); // depthwise
}

TEST_CASE("a transposed convolution multiplies each of its inputs with one kernel") {
  CHECK(count("conv_transpose2d", {1, 8, 4, 4}, {8, 3, 2, 2}, Shape{1, 3, 8, 8}).total ==
        8 * 4 * 4 * 3 * 2 * 2);
}

TEST_CASE("a linear layer and a matrix product multiply along the last dimension") {
  CHECK(count("linear", {2, 10}, {5, 10}, Shape{2, 5}).total == 2 * 5 * 10);
  CHECK(count("matmul", {4, 2, 10}, {}, Shape{4, 2, 5}).total == 4 * 2 * 5 * 10);
}

TEST_CASE("fused attention multiplies each query with the keys that it keeps, and their weights "
          "with values") {
  GraphBuilder graph;
  Op op;
  op.type = "group_query_attention";
  op.outputs = {{Shape{2, 3, 64}, "float32"}, {Shape{2, 2, 8, 16}, "float32"}};
  graph.add_op(op);
  CHECK(count_multiply_accumulates(graph).total == 2 * 3 * 64 * 8 * 2);
}

TEST_CASE("what a product adds is not what it multiplies") {
  GraphBuilder graph;
  for (int i = 0; i < 3; ++i) graph.add_op(Op());
  Op op;
  op.type = "baddbmm";
  op.outputs = {{Shape{4, 2, 5}, "float32"}};
  const OpId id = graph.add_op(op);
  const std::vector<Shape> inputs{{4, 2, 5}, {4, 2, 10}, {4, 10, 5}};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    graph.add_product(i, id, {"x", 0, i, {inputs[i], "float32"}});
  CHECK(count_multiply_accumulates(graph).total == 4 * 2 * 5 * 10);
}

TEST_CASE("a trace records how often an op runs") {
  GraphBuilder graph;
  graph.add_op(Op());
  for (int i = 0; i < 3; ++i) {
    Op op;
    op.type = "linear";
    op.outputs = {{Shape{2, 5}, "float32"}};
    graph.add_product(0, graph.add_op(op), {"x", 0, 0, {Shape{2, 10}, "float32"}});
  }
  Trace trace;
  trace.samples = 2;
  trace.runs = {2, 2, 6, 0};
  const auto counts = count_multiply_accumulates(graph, &trace);
  CHECK(counts.by_op == std::map<OpId, std::uint64_t>{{1, 100}, {2, 300}});
  CHECK(counts.total == 400);
  trace.runs[2] = 3; // once in one sample and twice in the other
  CHECK(count_multiply_accumulates(graph, &trace).unknown == std::vector<OpId>{2});
}

TEST_CASE("unknown values are shown as unknown") {
  CHECK(count("conv2d", {1, 3, 32, 32}, {8, 3, 5, 5}, std::nullopt).unknown ==
        std::vector<OpId>{1});
  CHECK(count("linear", {-1, 10}, {5, 10}, Shape{-1, 5}).unknown == std::vector<OpId>{1});
  CHECK(count("linear", {2, 10}, {5, 10}, Shape{std::int64_t{1} << 62, 5}).unknown.size() == 1);
}

TEST_CASE("a module counts what the one multiplying operator in it takes") {
  GraphBuilder graph;
  Parameter weight;
  weight.type = {Shape{8, 3, 5, 5}, "float32"};
  Op op;
  op.type = "batch_norm2d";
  op.kind = OpKind::module;
  op.outputs = {{Shape{1, 8, 2, 2}, "float32"}};
  op.parameters = {graph.add_parameter(weight)};
  std::vector<Operator> body(1);
  body[0].schema = "onnx::Conv";
  op.body = std::make_shared<const std::vector<Operator>>(body);
  graph.add_op(op);
  CHECK(count_multiply_accumulates(graph).total == 8 * 2 * 2 * 3 * 5 * 5);

  body.push_back(body[0]);
  graph.op(0).body = std::make_shared<const std::vector<Operator>>(body);
  CHECK(count_multiply_accumulates(graph).unknown == std::vector<OpId>{0});
}

TEST_CASE("other ops count nothing") {
  const auto counts = count("relu", {1, 3}, {}, Shape{1, 3});
  CHECK(counts.total == 0);
  CHECK(counts.unknown.empty());
}

TEST_CASE("attention multiplies queries with keys, and the weights with values") {
  GraphBuilder graph;
  for (int i = 0; i < 3; ++i) graph.add_op(Op());
  Op op;
  op.type = "scaled_dot_product_attention";
  op.outputs = {{Shape{2, 4, 7, 6}, "float32"}};
  const OpId id = graph.add_op(op);
  const std::vector<Shape> inputs{{2, 4, 7, 8}, {2, 4, 5, 8}, {2, 4, 5, 6}};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    graph.add_product(i, id, {"x", 0, i, {inputs[i], "float32"}});
  CHECK(count_multiply_accumulates(graph).total == 2 * 4 * 7 * 5 * (8 + 6));

  GraphBuilder unknown;
  unknown.add_op(op);
  CHECK(count_multiply_accumulates(unknown).unknown.size() == 1);
}
