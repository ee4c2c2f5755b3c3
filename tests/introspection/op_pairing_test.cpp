#include "introspection/op_pairing.h"
#include "support/sample_graph.h"

#include <model_validator/program.h>

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

Op op_in(const std::string& name, const std::string& type, ModuleId parent) {
  Op op;
  op.name = name;
  op.type = type;
  op.parent = parent;
  return op;
}

/// `block` holds a layer of two ops, and an op of its own.
GraphBuilder graph_of(const std::string& prefix) {
  test::SampleGraph sample;
  const ModuleId block = sample.module("block", "net.Block", false);
  const ModuleId layer = sample.module("block.layer", "torch.nn.Linear");
  sample.graph.add_op(op_in(prefix + "0", "matmul", layer));
  sample.graph.add_op(op_in(prefix + "1", "add", layer));
  sample.graph.add_op(op_in(prefix + "2", "relu", block));
  return std::move(sample.graph);
}

} // namespace

TEST_CASE("the ops of a module without others are one unit, others stand alone") {
  const GraphBuilder graph = graph_of("a");
  CHECK(unit_of(graph, 0) == std::vector<OpId>{0, 1});
  CHECK(unit_of(graph, 2) == std::vector<OpId>{2});
}

TEST_CASE("a unit is found again by its module, else by what a run has in its place") {
  const GraphBuilder graph = graph_of("a"), other = graph_of("b");
  CHECK(counterpart_of(graph, 1, other, none) == std::vector<OpId>{0, 1});
  CHECK(counterpart_of(graph, 2, other, none) == std::vector<OpId>{2});
  GraphBuilder flat; // without modules
  flat.add_op(op_in("x", "matmul", none));
  flat.add_op(op_in("y", "relu", none));
  CHECK(counterpart_of(graph, 2, flat, 1) == std::vector<OpId>{1});
  CHECK(counterpart_of(graph, 2, flat, none).empty());
}

TEST_CASE("the names of an ONNX file come before those that its graph makes up") {
  GraphBuilder graph = graph_of("relu_");
  Program flow;
  ProgramValue value;
  value.name = "relu_0";
  flow.values.push_back(value);
  ProgramNode node;
  node.name = "node";
  node.outputs = {0};
  node.op = 2;
  flow.nodes.push_back(node);
  graph.program = std::make_shared<const Program>(flow);
  CHECK(OpNames(graph).find("relu_0") == 0);
  graph.origin.format = FileFormat::onnx;
  CHECK(OpNames(graph).find("relu_0") == 2);
  CHECK(OpNames(graph).find("node") == 2);
  CHECK(OpNames(graph).find("relu_1") == 1);
  CHECK(OpNames(graph).find("nothing") == none);
}
