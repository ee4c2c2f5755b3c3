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

/// A model divided, and its pieces as they were written.
struct Divided {
  Divided(const onnx::ModelProto& model, const Strings& taken)
      : Divided(model.SerializeAsString(), taken) {}

  Divided(const std::string& bytes, const Strings& taken) {
    const auto file = folder.write("model.onnx", bytes);
    const auto divisible = open_onnx_model(file, {});
    Options options;
    options.targets = {target(taken)};
    plan = make_plan(divisible->graph(), divisible->constraints(), options);
    std::filesystem::create_directory(folder.path() / "pieces");
    manifest = divisible->write_pieces(plan, folder.path() / "pieces");
    for (const Piece& piece : manifest.pieces) {
      std::ifstream stream(folder.path() / "pieces" / piece.file, std::ios::binary);
      REQUIRE(pieces.emplace_back().ParseFromIstream(&stream));
    }
  }

  test::TemporaryFolder folder;
  Plan plan;
  Manifest manifest;
  std::vector<onnx::ModelProto> pieces;
};

Strings types(const onnx::ModelProto& piece) {
  Strings names;
  for (const auto& node : piece.graph().node()) names.push_back(node.op_type());
  return names;
}

template <class Values> Strings names(const Values& values) {
  Strings result;
  for (const auto& value : values) result.push_back(value.name());
  return result;
}

} // namespace

TEST_CASE("each piece holds its nodes, its weights and the types of what crosses") {
  const Divided divided(model_with_sine(), {"MatMul", "Relu", "Reshape"});
  REQUIRE(divided.pieces.size() == 3);
  CHECK(types(divided.pieces[0]) == Strings{"MatMul"});
  CHECK(types(divided.pieces[1]) == Strings{"Sin"});
  CHECK(types(divided.pieces[2]) == Strings{"Shape", "Reshape", "Relu"});
  CHECK(names(divided.pieces[2].graph().input()) == Strings{"m", "s"});
  CHECK(names(divided.pieces[0].graph().output()) == Strings{"m"});
  CHECK(divided.pieces[2].graph().input(1).type().tensor_type().elem_type() == 1);
  CHECK(names(divided.pieces[0].graph().initializer()) == Strings{"w"});
  CHECK(divided.pieces[0].graph().initializer(0).raw_data() == std::string(64, '\x3f'));
  CHECK(divided.pieces[1].graph().initializer().empty());
  CHECK(divided.pieces[1].opset_import(0).version() == 18);
  CHECK(divided.manifest.inputs.size() == 1);
  CHECK(divided.manifest.result.items.at(0).value == "y");
  CHECK(divided.manifest.pieces[1].inputs[0].tensor.dtype == "float32");
}

TEST_CASE("weights in a file beside the model come along") {
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
  const auto divisible = open_onnx_model(file, {});
  Options options;
  options.targets = {target({"MatMul"})};
  const Plan plan = make_plan(divisible->graph(), divisible->constraints(), options);
  const Manifest manifest = divisible->write_pieces(plan, folder.path());
  std::ifstream stream(folder.path() / manifest.pieces[0].file, std::ios::binary);
  onnx::ModelProto piece;
  REQUIRE(piece.ParseFromIstream(&stream));
  CHECK(piece.graph().initializer(0).raw_data() == std::string(64, 'b'));
  CHECK(piece.graph().initializer(0).external_data().empty());
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
  REQUIRE(divided.pieces.size() == 3);
  const auto& passed = divided.pieces[1].graph().input(0);
  CHECK(passed.name() == "m");
  CHECK(passed.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT);
  CHECK_FALSE(passed.type().tensor_type().has_shape());
  CHECK(divided.manifest.pieces[1].inputs[0].tensor.dtype == "float32");
  CHECK_FALSE(divided.manifest.pieces[1].inputs[0].tensor.shape);
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
  REQUIRE(refused.pieces.size() == 2);
  CHECK(types(refused.pieces[1]) == Strings{"If"});
  CHECK(names(refused.pieces[1].graph().input()) == Strings{"flag", "y"});
  Strings more = all;
  more.emplace_back("Cos");
  CHECK(Divided(model, more).pieces.size() == 1);
}

TEST_CASE("what reaches no output is in no piece") {
  auto model = model_with_sine();
  add_node(*model.mutable_graph()->mutable_node(), "Cos", {"m"}, {"unused"});
  const Divided divided(model, {"MatMul", "Relu", "Reshape"});
  for (const auto& piece : divided.pieces)
    for (const std::string& type : types(piece)) CHECK(type != "Cos");
  CHECK(divided.plan.op_count == 4);
}
