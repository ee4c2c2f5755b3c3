#include "connected_graph/onnx/model_builder.h"
#include "connected_graph/onnx/node_order.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::testing;

namespace {

std::vector<std::string> types_in(const Nodes& nodes) {
  std::vector<std::string> types;
  for (const auto& node : nodes) types.push_back(node.op_type());
  return types;
}

using Types = std::vector<std::string>;

} // namespace

TEST_CASE("nodes come behind those that they read, and stay where they can") {
  onnx::ModelProto model;
  Nodes& nodes = *model.mutable_graph()->mutable_node();
  SECTION("constants at the end, as sclblonnx appends them") {
    add_node(nodes, "Relu", {"x"}, {"a"});
    add_node(nodes, "Slice", {"a", "starts", "ends"}, {"y"});
    add_node(nodes, "Constant", {}, {"starts"});
    add_node(nodes, "Constant", {}, {"ends"});
    onnx_format::sort_nodes(model);
    CHECK(types_in(nodes) == Types{"Relu", "Constant", "Constant", "Slice"});
  }
  SECTION("a chain from its end") {
    add_node(nodes, "Exp", {"c"}, {"y"});
    add_node(nodes, "Log", {"b"}, {"c"});
    add_node(nodes, "Relu", {"x"}, {"b"});
    onnx_format::sort_nodes(model);
    CHECK(types_in(nodes) == Types{"Relu", "Log", "Exp"});
  }
  SECTION("in order, with names that nothing makes and inputs left out") {
    add_node(nodes, "Relu", {"x"}, {"a"});
    add_node(nodes, "Clip", {"a", "", "ghost"}, {"y"});
    add_node(nodes, "Exp", {"x"}, {"unused"});
    onnx_format::sort_nodes(model);
    CHECK(types_in(nodes) == Types{"Relu", "Clip", "Exp"});
  }
  SECTION("what a subgraph takes from outside, and a name of its own that comes again") {
    auto& branch = add_node(nodes, "If", {"condition"}, {"y"});
    Nodes& inner = *add_subgraph(branch, "then_branch").mutable_node();
    add_node(inner, "Add", {"own", "outer"}, {"sum"});
    add_node(inner, "Neg", {"x"}, {"own"});
    add_node(nodes, "Exp", {"x"}, {"outer"});
    add_node(nodes, "Log", {"y"}, {"own"});
    CHECK(onnx_format::sort_nodes(model) == Types{"a body of `If` `node_1`"});
    CHECK(types_in(nodes) == Types{"Exp", "If", "Log"});
    CHECK(onnx_format::sort_nodes(model).empty());
    CHECK(types_in(nodes[1].attribute(0).g().node()) == Types{"Neg", "Add"});
  }
  SECTION("a function") {
    Nodes& body = *model.add_functions()->mutable_node();
    add_node(body, "Exp", {"b"}, {"y"});
    add_node(body, "Relu", {"x"}, {"b"});
    onnx_format::sort_nodes(model);
    CHECK(types_in(body) == Types{"Relu", "Exp"});
  }
  SECTION("a circle and nodes that read themselves end") {
    add_node(nodes, "Add", {"x", "b"}, {"a"});
    add_node(nodes, "Relu", {"a"}, {"b"});
    add_node(nodes, "Exp", {"y"}, {"y"});
    onnx_format::sort_nodes(model);
    CHECK(nodes.size() == 3);
  }
}

TEST_CASE("a long chain from its end needs no deep stack") {
  onnx::ModelProto model;
  Nodes& nodes = *model.mutable_graph()->mutable_node();
  constexpr int length = 200'000;
  for (int i = length; i > 0; --i)
    add_node(nodes, "Relu", {std::to_string(i - 1).c_str()}, {std::to_string(i).c_str()});
  onnx_format::sort_nodes(model);
  CHECK(nodes[0].input(0) == "0");
  CHECK(nodes[length - 1].output(0) == std::to_string(length));
}
