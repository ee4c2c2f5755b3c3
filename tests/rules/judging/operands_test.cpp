#include "rules/judging/operands.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::lone_node;

namespace {

OpId add(GraphBuilder& graph, const std::string& type, OpId from = none, TensorType of = {},
         std::vector<Attribute> attributes = {}) {
  Op op;
  op.name = type + std::to_string(graph.op_count());
  op.type = type;
  op.attributes = std::move(attributes);
  const OpId id = graph.add_op(std::move(op));
  if (from != none) graph.add_product(from, id, {"p", 0, 0, std::move(of)});
  return id;
}

rules::LoneNode node_of(const ConnectedGraph& graph, OpId op) {
  return lone_node(Operator{graph.op(op).schema, {}, {}, {}}, graph, op, true);
}

std::string dtype(const ConnectedGraph& graph, OpId op) {
  return node_of(graph, op).view().input(0)->type.dtype;
}

const TensorType whole = {std::nullopt, "int64"};

} // namespace

TEST_CASE("an edge's own type is taken") {
  GraphBuilder graph;
  const OpId root = add(graph, "sqrt", add(graph, "constant"), whole);
  CHECK(dtype(graph, root) == "int64");
}

TEST_CASE("a type is known after an op that only passes a tensor on") {
  GraphBuilder graph;
  const OpId detached = add(graph, "detach", add(graph, "constant"), whole);
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "to", detached))) == "int64");
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "relu", detached))).empty());
}

TEST_CASE("what is converted has the dtype that it is converted to") {
  GraphBuilder graph;
  const OpId source = add(graph, "constant");
  const OpId cast = add(graph, "to", source, whole, {{"dtype", std::int64_t{6}}});
  CHECK(dtype(graph, add(graph, "sqrt", cast)) == "float32");
  const OpId odd = add(graph, "to", source, whole, {{"dtype", std::int64_t{99}}});
  CHECK(dtype(graph, add(graph, "sqrt", odd)) == "int64");
}

TEST_CASE("a size that became a tensor is an integer") {
  GraphBuilder graph;
  const OpId size = add(graph, "size", add(graph, "x"));
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "NumToTensor", size))) == "int64");
  const OpId other = add(graph, "item", add(graph, "x"));
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "NumToTensor", other))).empty());
}

TEST_CASE("parameters are at the positions where the op takes them") {
  GraphBuilder graph;
  Parameter weight;
  weight.type = {std::vector<std::int64_t>{2, 3}, "float16"};
  const ParameterId id = graph.add_parameter(std::move(weight));
  const OpId op = add(graph, "linear", add(graph, "x"));
  graph.op(op).parameters = {id};
  graph.op(op).parameter_inputs = {1};
  const rules::LoneNode lone = node_of(graph, op);
  REQUIRE(lone.view()->inputs.size() == 2);
  CHECK(lone.view().input(0)->type == TensorType{});
  CHECK(lone.view().input(1)->type.dtype == "float16");
}

TEST_CASE("operands that are inputs of the model, or depend on one, are told apart") {
  GraphBuilder graph;
  const OpId input = add(graph, "x");
  graph.op(input).kind = OpKind::input;
  const OpId size = add(graph, "size", input);
  graph.op(size).kind = OpKind::query;
  const OpId constant = add(graph, "view", size);
  const OpId conv = add(graph, "conv2d", input);
  graph.add_product(constant, conv, {"w", 0, 1, {}});
  graph.add_product(add(graph, "relu", input), conv, {"b", 0, 2, {}});
  const rules::LoneNode lone = node_of(graph, conv);
  CHECK(lone.view().input(0)->origin == Origin::input);
  CHECK(lone.view().input(1)->constant());
  CHECK(lone.view().input(2)->origin == Origin::computed);
  CHECK(lone.view().input(3) == nullptr);
}

TEST_CASE("what becomes of results is noted") {
  GraphBuilder graph;
  const OpId pool = add(graph, "max_pool2d_with_indices");
  const auto noted = [&](const char* name) { return *node_of(graph, pool).view().attribute(name); };
  CHECK(noted("used") == AttributeValue{std::int64_t{0}});
  const OpId relu = add(graph, "relu");
  graph.add_product(pool, relu, {"p", 1, 0, {}});
  graph.add_product(pool, relu, {"p", 0, 1, {}});
  CHECK(noted("used") == AttributeValue{std::int64_t{2}});
  CHECK(noted("returned") == AttributeValue{false});
  graph.op(relu).kind = OpKind::output;
  CHECK(noted("returned") == AttributeValue{true});
}
