#include "connected_graph/silent_calls.h"
#include "support/sample_graph.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

using Names = std::vector<std::string>;

/// A model with one operator on each line of its forward that is given, and a module `drop` beside.
struct Net {
  SampleGraph builder;
  ModuleId drop = builder.module("drop", "");
  std::vector<ProgramNode> nodes;
  int line = 10;

  Net& runs(const std::string& code, std::vector<ModuleCall> stack = {{0, none}}) {
    ProgramNode node;
    node.schema = "aten::add.Tensor";
    node.frame = builder.frame(line, 0, 0);
    node.stack = std::move(stack);
    builder.graph.add_source_line("net.py", line++, code);
    nodes.push_back(std::move(node));
    return *this;
  }
  std::size_t calls() const { return silent_calls(builder.graph, nodes).size(); }
};

} // namespace

TEST_CASE("what a line calls of its own object") {
  CHECK(calls_of_self("x = x + self.drop(self.mlp.fc(x))") == Names{"drop", "mlp.fc"});
  CHECK(calls_of_self("return self.weight * x").empty());
  CHECK(calls_of_self("x = myself.drop(x)").empty());
  CHECK(calls_of_self("x = other.self.drop(x)").empty());
  CHECK(calls_of_self("x = x + 1  # self.drop(x)").empty());
  CHECK(calls_of_self("x = self.a(x); y = self.a(x)") == Names{"a", "a"});
}

TEST_CASE("a line that may skip a call shows nothing") {
  CHECK(calls_of_self("x = self.drop(x) if self.training else x").empty());
  CHECK(calls_of_self("x = self.flag and self.drop(x)").empty());
  CHECK(calls_of_self("x = [self.drop(y) for y in x]").empty());
  CHECK(calls_of_self("f = lambda y: self.drop(y)").empty());
  CHECK(calls_of_self("x = self.format(x)") == Names{"format"});
}

TEST_CASE("a module without operators is recognised by the lines that name it") {
  Net net;
  net.runs("x = x + self.drop(self.attn(x))").runs("x = x + self.drop(self.mlp(x))");
  const auto calls = silent_calls(net.builder.graph, net.nodes);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].module == net.drop);
  CHECK(net.builder.graph.location(calls[0].frame).line == 10);
  CHECK(net.builder.graph.location(calls[1].frame).line == 11);
}

TEST_CASE("a line that yields several operators calls once, but again in another call") {
  Net net;
  net.runs("y = self.drop(x) + 1", {{0, 0}});
  net.nodes.push_back(net.nodes[0]);
  CHECK(net.calls() == 1);
  net.nodes.push_back(net.nodes[0]);
  net.nodes.back().stack = {{0, 1}};
  CHECK(net.calls() == 2);
}

TEST_CASE("a module with operators, or with children, is recognised by them") {
  Net net;
  net.runs("x = self.drop(x)").runs("x = self.drop(x)");
  net.builder.graph.modules()[net.drop].leaf = false;
  CHECK(net.calls() == 0);
  net.builder.graph.modules()[net.drop].leaf = true;
  net.nodes[1].stack.push_back({net.drop, none});
  CHECK(net.calls() == 0);
}

TEST_CASE("a method of the model is not a module") {
  Net net;
  net.runs("x = self.pad(x)").runs("x = self.pad(x)");
  CHECK(net.calls() == 0);
}
