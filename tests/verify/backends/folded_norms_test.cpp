#include "verify/backends/folded_norms.h"
#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_narrowed.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

void store(onnx::GraphProto& graph, const std::string& name, const std::vector<std::int64_t>& shape,
           const std::vector<float>& values) {
  auto* tensor = graph.add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t size : shape) tensor->add_dims(size);
  for (const float value : values) tensor->add_float_data(value);
}

/// Two rows, of which a normalisation multiplies the second by a hundred.
onnx::ModelProto model() {
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(17);
  onnx::GraphProto& graph = *proto.mutable_graph();
  store(graph, "w", {2, 1, 1, 1}, {1, 0.013F});
  store(graph, "scale", {2}, {1, 100});
  store(graph, "bias", {2}, {0, 0});
  store(graph, "mean", {2}, {0, 0});
  store(graph, "variance", {2}, {1, 1});
  add_node(graph, "Conv", {"x", "w"}, {"c"});
  add_node(graph, "BatchNormalization", {"c", "scale", "bias", "mean", "variance"}, {"y"});
  graph.add_output()->set_name("y");
  return proto;
}

onnx::ModelProto rounded(onnx::ModelProto proto, bool per_channel) {
  Narrowing narrowing;
  narrowing.weights = Narrowing::Weights::whole_numbers;
  narrowing.per_channel = per_channel;
  OnnxModel own(std::move(proto), "");
  return *narrowed_onnx(own, "", narrowing, {}, {}, 0)->proto();
}

std::vector<float> rounded_weights(const onnx::ModelProto& proto, bool per_channel) {
  return floats_in(rounded(proto, per_channel).graph().initializer(0));
}

} // namespace

TEST_CASE("scales of a normalisation are folded into the rows before it") {
  const auto proto = model();
  const auto folded = folded_norms(proto.graph());
  REQUIRE(folded.count("w") == 1);
  CHECK(folded.at("w").at(0) == Approx(1));
  CHECK(folded.at("w").at(1) == Approx(100));
}

TEST_CASE("nothing is folded where the result has another reader, or a scale is not stored") {
  auto shown = model();
  shown.mutable_graph()->add_output()->set_name("c");
  CHECK(folded_norms(shown.graph()).empty());
  auto shared = model();
  add_node(*shared.mutable_graph(), "Conv", {"x", "w"}, {"d"});
  CHECK(folded_norms(shared.graph()).empty());
  auto computed = model();
  computed.mutable_graph()->mutable_initializer(1)->set_name("other");
  CHECK(folded_norms(computed.graph()).empty());
  auto none = model();
  none.mutable_graph()->mutable_initializer(1)->set_float_data(1, 0);
  CHECK(folded_norms(none.graph()).empty());
}

TEST_CASE("one scale for all rows rounds what the normalisation makes of them") {
  CHECK(rounded_weights(model(), false).at(1) == Approx(0.013).epsilon(0.005));
  auto alone = model();
  alone.mutable_graph()->mutable_node()->RemoveLast();
  CHECK(rounded_weights(alone, false).at(1) == Approx(2 / 127.0));
  CHECK(rounded_weights(model(), true).at(1) == Approx(0.013).epsilon(1e-5));
}

TEST_CASE("weights that are nodes are rounded as stored ones are") {
  auto proto = model();
  onnx::GraphProto& graph = *proto.mutable_graph();
  auto* attribute = add_node(graph, "Constant", {}, {"w"}).add_attribute();
  attribute->set_name("value");
  attribute->set_type(onnx::AttributeProto::TENSOR);
  *attribute->mutable_t() = graph.initializer(0);
  attribute->mutable_t()->clear_name();
  graph.mutable_initializer()->DeleteSubrange(0, 1);
  const auto weights_in = [](const onnx::ModelProto& each) {
    return floats_in(each.graph().node(each.graph().node_size() - 1).attribute(0).t());
  };
  CHECK(folded_norms(proto.graph()).count("w") == 1);
  CHECK(weights_in(rounded(proto, false)).at(1) == Approx(0.013).epsilon(0.005));
  CHECK(weights_in(rounded(proto, false)).at(0) == Approx(98 * 1.3 / 127));
}
