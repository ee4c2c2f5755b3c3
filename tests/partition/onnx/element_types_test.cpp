#include "connected_graph/onnx/model_builder.h"
#include "partition/onnx/element_types.h"

#include <catch2/catch.hpp>

#include <functional>

using namespace model_validator;
using namespace model_validator::partition;
using onnx::TensorProto;
using testing::add_node;
using testing::add_value;

namespace {

/// A model that takes `x` of float16 and `i` of int64.
onnx::ModelProto model_of(const std::function<void(onnx::GraphProto&)>& fill) {
  onnx::ModelProto model;
  auto& graph = *model.mutable_graph();
  add_value(*graph.add_input(), "x", {2}, TensorProto::FLOAT16);
  add_value(*graph.add_input(), "i", {2}, TensorProto::INT64);
  fill(graph);
  return model;
}

int type_of_y(const std::function<void(testing::Nodes&)>& add) {
  return ElementTypes(model_of([&](auto& graph) { add(*graph.mutable_node()); })).of("y");
}

void set_type(onnx::NodeProto& node, const char* attribute, int type) {
  testing::set_integer(node, attribute, type);
}

} // namespace

TEST_CASE("an operator yields the type of an input, or one of its own") {
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "Add", {"x", "x"}, {"y"});
        }) == TensorProto::FLOAT16);
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "Where", {"i", "x", "x"}, {"y"});
        }) == TensorProto::FLOAT16);
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "Less", {"x", "x"}, {"y"});
        }) == TensorProto::BOOL);
  CHECK(type_of_y([](auto& nodes) { add_node(nodes, "Shape", {"x"}, {"y"}); }) ==
        TensorProto::INT64);
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "TopK", {"x", "i"}, {"v", "y"});
        }) == TensorProto::INT64);
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "Split", {"x"}, {"a", "b", "c", "y"});
        }) == TensorProto::FLOAT16);
}

TEST_CASE("an attribute gives the type, with a default without it") {
  CHECK(type_of_y([](auto& nodes) {
          set_type(add_node(nodes, "Cast", {"x"}, {"y"}), "to", TensorProto::DOUBLE);
        }) == TensorProto::DOUBLE);
  CHECK(type_of_y([](auto& nodes) { add_node(nodes, "EyeLike", {"i"}, {"y"}); }) ==
        TensorProto::INT64);
  CHECK(type_of_y([](auto& nodes) { add_node(nodes, "ConstantOfShape", {"i"}, {"y"}); }) ==
        TensorProto::FLOAT);
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "QuantizeLinear", {"x", "x"}, {"y"});
        }) == TensorProto::UINT8);
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "QuantizeLinear", {"x", "x", "zero"}, {"y"});
        }) == TensorProto::UNDEFINED);
}

TEST_CASE("what is not known is not guessed") {
  CHECK(type_of_y([](auto& nodes) { add_node(nodes, "NewOperator", {"x"}, {"y"}); }) ==
        TensorProto::UNDEFINED);
  CHECK(type_of_y([](auto& nodes) { add_node(nodes, "Relu", {"x"}, {"y"}).set_domain("acme"); }) ==
        TensorProto::UNDEFINED);
  CHECK(type_of_y([](auto& nodes) {
          add_node(nodes, "SequenceAt", {"s", "i"}, {"y"});
        }) == TensorProto::UNDEFINED);
}

TEST_CASE("types follow through arms and bodies") {
  const auto branches = model_of([](auto& graph) {
    auto& node = add_node(*graph.mutable_node(), "If", {"flag"}, {"y"});
    auto& arm = testing::add_subgraph(node, "then_branch");
    add_node(*arm.mutable_node(), "Neg", {"x"}, {"inside"});
    arm.add_output()->set_name("inside");
  });
  CHECK(ElementTypes(branches).of("y") == TensorProto::FLOAT16);
  CHECK(ElementTypes(branches).of("inside") == TensorProto::UNDEFINED);

  const auto loop = model_of([](auto& graph) {
    auto& node = add_node(*graph.mutable_node(), "Loop", {"i", "", "x"}, {"y", "all"});
    auto& body = testing::add_subgraph(node, "body");
    for (const char* name : {"round", "go", "state"}) body.add_input()->set_name(name);
    add_node(*body.mutable_node(), "Neg", {"state"}, {"next"});
    add_node(*body.mutable_node(), "Size", {"next"}, {"count"});
    for (const char* name : {"go", "next", "count"}) body.add_output()->set_name(name);
  });
  CHECK(ElementTypes(loop).of("y") == TensorProto::FLOAT16);
  CHECK(ElementTypes(loop).of("all") == TensorProto::INT64);
}

TEST_CASE("types follow through a function, which sees nothing around it") {
  auto model = model_of([](auto& graph) {
    add_node(*graph.mutable_node(), "twice", {"x"}, {"y", "lost"}).set_domain("own");
  });
  auto& function = *model.add_functions();
  function.set_domain("own");
  function.set_name("twice");
  function.add_input("a");
  for (const char* name : {"b", "c"}) function.add_output(name);
  add_node(*function.mutable_node(), "Add", {"a", "a"}, {"b"});
  add_node(*function.mutable_node(), "Relu", {"i"}, {"c"});
  CHECK(ElementTypes(model).of("y") == TensorProto::FLOAT16);
  CHECK(ElementTypes(model).of("lost") == TensorProto::UNDEFINED);
}
