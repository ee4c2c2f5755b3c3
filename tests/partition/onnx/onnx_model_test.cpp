#include "connected_graph/onnx/model_builder.h"
#include "partition/onnx/onnx_model.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace model_validator;
using namespace model_validator::partition;
using testing::add_integers;
using testing::add_node;
using testing::add_value;
using testing::add_weight;
using Strings = std::vector<std::string>;

namespace {

/// Takes these operators of ONNX.
TargetProfile target(const Strings& operators) {
  TargetProfile profile;
  profile.name = "A";
  for (const std::string& name : operators) profile.operators["onnx::" + name] = {};
  return profile;
}

/// y = Relu(Sin(x · w) reshaped to the size of x), all types declared.
onnx::ModelProto model_with_sine() {
  onnx::ModelProto model;
  model.set_ir_version(9);
  model.add_opset_import()->set_version(18);
  auto& graph = *model.mutable_graph();
  graph.set_name("main");
  add_value(*graph.add_input(), "x", {4, 4});
  add_weight(graph, "w", {4, 4});
  auto& nodes = *graph.mutable_node();
  add_node(nodes, "MatMul", {"x", "w"}, {"m"});
  add_node(nodes, "Sin", {"m"}, {"s"});
  add_node(nodes, "Shape", {"m"}, {"n"});
  add_node(nodes, "Reshape", {"s", "n"}, {"r"});
  add_node(nodes, "Relu", {"r"}, {"y"});
  add_value(*graph.add_output(), "y", {4, 4});
  for (const char* name : {"m", "s", "r"}) add_value(*graph.add_value_info(), name, {4, 4});
  add_value(*graph.add_value_info(), "n", {2}, onnx::TensorProto::INT64);
  return model;
}

/// A model divided, and its subgraphs as they were written.
struct Divided {
  Divided(const onnx::ModelProto& model, const Strings& taken)
      : Divided(model.SerializeAsString(), taken) {}

  Divided(const std::string& bytes, const Strings& taken) {
    const auto file = folder.write("model.onnx", bytes);
    const auto opened = open_onnx_model(file, {});
    Options options;
    options.targets = {target(taken)};
    plan = make_plan(opened->graph(), opened->constraints(), options);
    std::filesystem::create_directory(folder.path() / "subgraphs");
    manifest = opened->write_subgraphs(plan, folder.path() / "subgraphs");
    for (const Subgraph& subgraph : manifest.subgraphs) {
      std::ifstream stream(folder.path() / "subgraphs" / subgraph.file, std::ios::binary);
      REQUIRE(subgraphs.emplace_back().ParseFromIstream(&stream));
    }
  }

  test::TemporaryFolder folder;
  Plan plan;
  Manifest manifest;
  std::vector<onnx::ModelProto> subgraphs;
};

Strings types(const onnx::ModelProto& subgraph) {
  Strings names;
  for (const auto& node : subgraph.graph().node()) names.push_back(node.op_type());
  return names;
}

template <class Values> Strings names(const Values& values) {
  Strings result;
  for (const auto& value : values) result.push_back(value.name());
  return result;
}

} // namespace

TEST_CASE("each subgraph holds its nodes, its weights and the types of what crosses") {
  const Divided divided(model_with_sine(), {"MatMul", "Relu", "Reshape"});
  REQUIRE(divided.subgraphs.size() == 3);
  CHECK(types(divided.subgraphs[0]) == Strings{"MatMul"});
  CHECK(types(divided.subgraphs[1]) == Strings{"Sin"});
  CHECK(types(divided.subgraphs[2]) == Strings{"Shape", "Reshape", "Relu"});
  CHECK(names(divided.subgraphs[2].graph().input()) == Strings{"m", "s"});
  CHECK(names(divided.subgraphs[0].graph().output()) == Strings{"m"});
  CHECK(divided.subgraphs[2].graph().input(1).type().tensor_type().elem_type() == 1);
  CHECK(names(divided.subgraphs[0].graph().initializer()) == Strings{"w"});
  CHECK(divided.subgraphs[0].graph().initializer(0).raw_data() ==
        model_with_sine().graph().initializer(0).raw_data());
  CHECK(divided.subgraphs[1].graph().initializer().empty());
  CHECK(divided.subgraphs[1].opset_import(0).version() == 18);
  CHECK(divided.manifest.inputs.size() == 1);
  CHECK(divided.manifest.result.items.at(0).value == "y");
  CHECK(divided.manifest.subgraphs[1].inputs[0].tensor.dtype == "float32");
}

TEST_CASE("weights in a file next to the model come along") {
  auto model = model_with_sine();
  auto& weight = *model.mutable_graph()->mutable_initializer(0);
  weight.clear_raw_data();
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& location = *weight.add_external_data();
  location.set_key("location");
  location.set_value("weights.bin");
  auto& offset = *weight.add_external_data();
  offset.set_key("offset");
  offset.set_value("8");
  CHECK(test::kind_thrown_by([&] { Divided(model, {"MatMul"}); }) == "missing-weights");

  const test::TemporaryFolder folder;
  folder.write("weights.bin", std::string(8, 'a') + std::string(64, 'b'));
  const auto file = folder.write("model.onnx", model.SerializeAsString());
  const auto opened = open_onnx_model(file, {});
  Options options;
  options.targets = {target({"MatMul"})};
  const Plan plan = make_plan(opened->graph(), opened->constraints(), options);
  const Manifest manifest = opened->write_subgraphs(plan, folder.path());
  std::ifstream stream(folder.path() / manifest.subgraphs[0].file, std::ios::binary);
  onnx::ModelProto subgraph;
  REQUIRE(subgraph.ParseFromIstream(&stream));
  CHECK(subgraph.graph().initializer(0).raw_data() == std::string(64, 'b'));
  CHECK(subgraph.graph().initializer(0).external_data().empty());
}

TEST_CASE("a value of unknown type cannot cross") {
  auto model = model_with_sine();
  model.mutable_graph()->clear_value_info();
  model.mutable_graph()->mutable_node(1)->set_domain("acme");
  const auto error = test::thrown_by([&] { Divided(model, {"MatMul", "Relu", "Reshape"}); });
  REQUIRE(error);
  CHECK(error->kind() == ErrorKind::cannot_divide);
  CHECK(test::well_worded(*error));
  CHECK(error->hint().find("infer_shapes") != std::string::npos);
}

TEST_CASE("element types that the file does not declare follow from its operators") {
  auto model = model_with_sine();
  model.mutable_graph()->clear_value_info();
  const Divided divided(model, {"MatMul", "Relu", "Reshape"});
  REQUIRE(divided.subgraphs.size() == 3);
  const auto& passed = divided.subgraphs[1].graph().input(0);
  CHECK(passed.name() == "m");
  CHECK(passed.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT);
  CHECK_FALSE(passed.type().tensor_type().has_shape());
  CHECK(divided.manifest.subgraphs[1].inputs[0].tensor.dtype == "float32");
  CHECK_FALSE(divided.manifest.subgraphs[1].inputs[0].tensor.shape);
}

TEST_CASE("a node with subgraphs is one op, with what it takes from around") {
  auto model = model_with_sine();
  auto& graph = *model.mutable_graph();
  add_value(*graph.add_input(), "flag", {}, onnx::TensorProto::BOOL);
  auto& branch = add_node(*graph.mutable_node(), "If", {"flag"}, {"z"});
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& arm = testing::add_subgraph(branch, name);
    arm.set_name(name);
    add_node(*arm.mutable_node(), "Cos", {"y"}, {name});
    arm.add_output()->set_name(name);
  }
  graph.clear_output();
  add_value(*graph.add_output(), "z", {4, 4});
  add_value(*graph.add_value_info(), "y", {4, 4});
  const Strings all{"MatMul", "Relu", "Reshape", "Sin", "If"};
  const Divided refused(model, all);
  REQUIRE(refused.subgraphs.size() == 2);
  CHECK(types(refused.subgraphs[1]) == Strings{"If"});
  CHECK(names(refused.subgraphs[1].graph().input()) == Strings{"flag", "y"});
  Strings more = all;
  more.emplace_back("Cos");
  CHECK(Divided(model, more).subgraphs.size() == 1);
}

TEST_CASE("what reaches no output is in no subgraph") {
  auto model = model_with_sine();
  add_node(*model.mutable_graph()->mutable_node(), "Cos", {"m"}, {"unused"});
  const Divided divided(model, {"MatMul", "Relu", "Reshape"});
  for (const auto& subgraph : divided.subgraphs)
    for (const std::string& type : types(subgraph)) CHECK(type != "Cos");
  CHECK(divided.plan.op_count == 4);
}
