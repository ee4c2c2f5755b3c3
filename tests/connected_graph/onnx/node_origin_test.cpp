#include "connected_graph/onnx/model_builder.h"
#include "connected_graph/onnx/node_origin.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using namespace model_validator::onnx_format;
using namespace model_validator::testing;

using Paths = std::vector<std::string>;

TEST_CASE("Python lists of strings are read") {
  CHECK(parse_python_strings("[]").empty());
  CHECK(parse_python_strings("['', 'layer1.0', \"it's\"]") == Paths{"", "layer1.0", "it's"});
  CHECK(parse_python_strings(R"(['a\'b'])") == Paths{"a'b"});
  CHECK(parse_python_strings("['never closed") == Paths{"never closed"});
}

TEST_CASE("the scope in a node's name gives the module path") {
  CHECK(scope_paths("/conv1/Conv") == Paths{"", "conv1"});
  CHECK(scope_paths("/layer1/layer1.0/conv1/Conv") ==
        Paths{"", "layer1", "layer1.0", "layer1.0.conv1"});
  CHECK(scope_paths("/backbone/features.0/features.0.3/block/block.1/block.1.0/Conv").back() ==
        "backbone.features.0.3.block.1.0");
  CHECK(scope_paths("/Add") == Paths{""});
  CHECK(scope_paths("Conv_12").empty());
  CHECK(scope_paths("").empty());
}

TEST_CASE("the metadata of torch's exporter names modules, operator and schema") {
  onnx::NodeProto node;
  node.set_name("/other/Relu");
  set_origin(node, "['', 'act', 'relu_1']",
             "['net.Net', 'torch.nn.modules.activation.ReLU', 'aten.relu.default']");
  const NodeOrigin origin = origin_of(node);
  REQUIRE(origin.modules.size() == 2);
  CHECK(origin.modules[1].first == "act");
  CHECK(origin.modules[1].second == "torch.nn.modules.activation.ReLU");
  CHECK(origin.operation == "relu_1");
  CHECK(origin.schema == "aten::relu");
  CHECK(origin.has_classes);
}

TEST_CASE("inconsistent metadata is not used") {
  onnx::NodeProto node;
  node.set_name("/act/Relu");
  set_origin(node, "['', 'act', 'relu_1']", "['net.Net']");
  const NodeOrigin origin = origin_of(node);
  CHECK_FALSE(origin.has_classes);
  CHECK(origin.modules.back().first == "act");
}

TEST_CASE("scopes that are nested beyond any sense are not scopes") {
  std::string deep = "/";
  for (int i = 0; i < 101; ++i) deep += "a/";
  CHECK(scope_paths(deep + "Relu").empty());
  onnx::NodeProto node;
  for (const auto& [key, value] :
       {std::pair("pkg.torch.onnx.name_scopes", "['" + deep + "', 'r']"),
        std::pair("pkg.torch.onnx.class_hierarchy", std::string("['A', 'aten.relu.default']"))}) {
    auto& entry = *node.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  CHECK(origin_of(node).known());
  std::replace(deep.begin(), deep.end(), '/', '.');
  node.mutable_metadata_props(0)->set_value("['" + deep + "', 'r']");
  CHECK_FALSE(origin_of(node).known());
}
