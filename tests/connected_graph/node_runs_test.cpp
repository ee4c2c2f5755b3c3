#include "connected_graph/node_runs.h"
#include "support/sample_graph.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

/// How many calls the operators of a leaf, all from one line, are.
std::size_t calls_of(const std::vector<std::string>& schemas) {
  SampleGraph builder;
  const ModuleId cell = builder.module("cell", "torch.nn.modules.rnn.GRUCell");
  const FrameId line = builder.frame(10);
  std::vector<ProgramNode> nodes;
  for (const std::string& schema : schemas) {
    ProgramNode node;
    node.schema = schema;
    node.frame = line;
    node.stack = {{0, none}, {cell, none}};
    nodes.push_back(std::move(node));
  }
  REQUIRE(builder.graph.module(cell).torch_nn);
  return split_into_runs(builder.graph, nodes).size();
}

} // namespace

TEST_CASE("a leaf whose operators all come again was called again") {
  CHECK(calls_of({"Relu"}) == 1);
  CHECK(calls_of({"Relu", "Relu", "Relu"}) == 3);
  CHECK(calls_of({"Gemm", "Add", "Gemm", "Add"}) == 2);
}

TEST_CASE("a leaf that has an operator twice was called once") {
  CHECK(calls_of({"Gemm", "Gemm", "Add", "Tanh"}) == 1);
  CHECK(calls_of({"Reshape", "Transpose", "Reshape"}) == 1);
}
