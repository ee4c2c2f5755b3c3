#include "rules/operand_types.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using rules::operand_types;

namespace {

OpId add(ConnectedGraph& graph, const std::string& type, OpId from = none, TensorType of = {},
         std::vector<Attribute> attributes = {}) {
  Op op;
  op.name = type + std::to_string(graph.op_count());
  op.type = type;
  op.attributes = std::move(attributes);
  const OpId id = graph.add_op(std::move(op));
  if (from != none) graph.add_product(from, id, {"p", 0, 0, std::move(of)});
  return id;
}

std::string dtype(const ConnectedGraph& graph, OpId op) {
  return operand_types(graph, op).at(0).dtype;
}

const TensorType whole = {std::nullopt, "int64"};

} // namespace

TEST_CASE("an edge's own type is taken") {
  ConnectedGraph graph;
  const OpId root = add(graph, "sqrt", add(graph, "constant"), whole);
  CHECK(dtype(graph, root) == "int64");
}

TEST_CASE("a type is known behind what only hands a tensor on") {
  ConnectedGraph graph;
  const OpId detached = add(graph, "detach", add(graph, "constant"), whole);
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "to", detached))) == "int64");
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "relu", detached))).empty());
}

TEST_CASE("what is converted has the dtype that it is converted to") {
  ConnectedGraph graph;
  const OpId source = add(graph, "constant");
  const OpId cast = add(graph, "to", source, whole, {{"dtype", std::int64_t{6}}});
  CHECK(dtype(graph, add(graph, "sqrt", cast)) == "float32");
  const OpId odd = add(graph, "to", source, whole, {{"dtype", std::int64_t{99}}});
  CHECK(dtype(graph, add(graph, "sqrt", odd)) == "int64");
}

TEST_CASE("a size that became a tensor is an integer") {
  ConnectedGraph graph;
  const OpId size = add(graph, "size", add(graph, "x"));
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "NumToTensor", size))) == "int64");
  const OpId other = add(graph, "item", add(graph, "x"));
  CHECK(dtype(graph, add(graph, "sqrt", add(graph, "NumToTensor", other))).empty());
}

TEST_CASE("parameters stand where the op takes them") {
  ConnectedGraph graph;
  Parameter weight;
  weight.type = {std::vector<std::int64_t>{2, 3}, "float16"};
  const ParameterId id = graph.add_parameter(std::move(weight));
  const OpId op = add(graph, "linear", add(graph, "x"));
  graph.op(op).parameters = {id};
  graph.op(op).parameter_inputs = {1};
  const rules::TensorTypes types = operand_types(graph, op);
  REQUIRE(types.size() == 2);
  CHECK(types[0] == TensorType{});
  CHECK(types[1].dtype == "float16");
}
