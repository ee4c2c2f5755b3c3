#include "report/graph_writer.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace model_validator;
using Catch::Contains;

namespace {

Op op_in(const std::string& name, ModuleId parent) {
  Op op;
  op.name = name;
  op.parent = parent;
  return op;
}

std::string written(const ConnectedGraph& graph) {
  std::ostringstream out;
  write_graph_dot(out, graph);
  return out.str();
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

} // namespace

TEST_CASE("modules are clusters inside the clusters of their parents") {
  ConnectedGraph graph;
  const ModuleId root = graph.add_module({"", {}, "Net", none, false, false, 1, {}, {}, {}});
  const ModuleId outer = graph.add_module({"net.a", {}, "A", root, false, false, 1, {}, {}, {}});
  const ModuleId inner = graph.add_module({"net.a.b", {}, "B", outer, false, false, 1, {}, {}, {}});
  const OpId first = graph.add_op(op_in("add_0", root));
  const OpId second = graph.add_op(op_in("mul_0", inner));
  graph.add_product(first, second, {"t", 0, 0, {}});
  const std::string dot = written(graph);
  CHECK(times(dot, "subgraph \"cluster_") + times(dot, "subgraph cluster_") == 2);
  CHECK(dot.find("label=\"net.a\"") < dot.find("label=\"net.a.b\""));
  CHECK(times(dot, "->") == 1);
  CHECK(times(dot, "add_0") == 1);
  CHECK(times(dot, "mul_0") == 1);
}

TEST_CASE("names that hold quotes, backslashes or control characters stay one label") {
  ConnectedGraph graph;
  graph.add_op(op_in("a\"b\\c\x1b", none));
  CHECK_THAT(written(graph), Contains(R"(label="a\"b\\c\\x1b")"));
}
