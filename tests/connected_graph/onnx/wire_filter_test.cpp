#include "connected_graph/onnx/model_builder.h"
#include "connected_graph/onnx/wire_filter.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::onnx_format;
using namespace model_validator::testing;

namespace {

FilteredModel filter(const std::string& bytes) {
  const TemporaryFile file(bytes);
  return without_tensor_data(InputFile(file.path()));
}

} // namespace

TEST_CASE("the bytes of tensors are left out, and found again") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "w", {100, 100}).mutable_raw_data()->replace(0, 5, "begin");
  add_weight(*model.mutable_graph(), "v", {2});
  const std::string bytes = model.SerializeAsString();
  const FilteredModel filtered = filter(bytes);
  CHECK(filtered.bytes.size() < 300);

  onnx::ModelProto parsed;
  REQUIRE(parsed.ParseFromString(filtered.bytes));
  REQUIRE(parsed.graph().initializer_size() == 2);
  const auto spans = spans_of(parsed.graph().initializer(0).raw_data(), filtered.tensor_data);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].size == 40000);
  CHECK(bytes.substr(spans[0].offset, 5) == "begin");
  CHECK(spans_of(parsed.graph().initializer(1).raw_data(), filtered.tensor_data)[0].size == 8);
}

TEST_CASE("everything but the bytes of tensors stays as it was") {
  onnx::ModelProto model = model_skeleton();
  auto& nodes = *model.mutable_graph()->mutable_node();
  set_origin(add_node(nodes, "Relu", {"x"}, {"y"}), "['']", "['a']", "trace");
  auto& arm = add_subgraph(add_node(nodes, "If", {"x"}, {"z"}), "then_branch");
  add_node(*arm.mutable_node(), "Neg", {"x"}, {"n"});
  model.add_functions()->set_name("f");
  const std::string bytes = model.SerializeAsString();
  CHECK(filter(bytes).bytes == bytes);
}

TEST_CASE("long arrays of numbers are left out as well, short ones stay") {
  onnx::ModelProto model = model_skeleton();
  auto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  SECTION("long") {
    for (int i = 0; i < 5000; ++i) tensor.add_float_data(1.5F);
    CHECK(filter(model.SerializeAsString()).tensor_data.at(0).size == 20000);
  }
  SECTION("short") {
    for (int i = 0; i < 5; ++i) tensor.add_float_data(1.5F);
    CHECK(filter(model.SerializeAsString()).tensor_data.empty());
  }
}

TEST_CASE("subgraphs nested without end are refused") {
  onnx::ModelProto model = model_skeleton();
  onnx::GraphProto* graph = model.mutable_graph();
  for (int depth = 0; depth < 100; ++depth)
    graph = &add_subgraph(add_node(*graph->mutable_node(), "If", {"x"}, {}), "then_branch");
  CHECK_THROWS_WITH(filter(model.SerializeAsString()), Catch::Contains("nested too deeply"));
}

TEST_CASE("fields that reach too far are refused") {
  CHECK_THROWS_AS(filter("\x3a\x7f"), Error);                 // a graph longer than the file
  CHECK_THROWS_AS(filter("\x3a\x04\x0a\x7f\x08\x01"), Error); // a node longer than its graph
  CHECK_THROWS_AS(filter("\x08"), Error);                     // a number that is not there
  CHECK_THROWS_AS(filter(std::string(20, '\xff')), Error);    // a number without end
  CHECK_THROWS_AS(filter("\x0b"), Error);                     // a field of an unknown kind
}
