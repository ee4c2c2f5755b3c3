#include "support/sample_graph.h"
#include "validators/suggestions/functional_modules.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

ModuleForOp for_type(const std::string& type) {
  SampleGraph builder;
  const OpId op = builder.functional(type, "aten::" + type);
  return module_for(builder.graph.op(op));
}

} // namespace

TEST_CASE("torch's own module is named where there is one") {
  for (const auto& [type, name] : std::vector<std::pair<std::string, std::string>>{
           {"max_pool2d", "MaxPool2d"},
           {"adaptive_avg_pool2d", "AdaptiveAvgPool2d"},
           {"log_softmax", "LogSoftmax"},
           {"upsample_bilinear2d", "Upsample"},
           {"silu", "SiLU"},
           {"hardswish", "Hardswish"},
           {"reflection_pad2d", "ReflectionPad2d"}}) {
    CAPTURE(type);
    CHECK(for_type(type).class_name == name);
    CHECK(for_type(type).torch_nn);
  }
}

TEST_CASE("other operations get a class named after them") {
  CHECK(for_type("mul").class_name == "Multiply");
  CHECK(for_type("masked_fill").class_name == "MaskedFill");
  CHECK_FALSE(for_type("masked_fill").torch_nn);
}

TEST_CASE("what computes with weights gets a class that is given them, and has none") {
  for (const auto& [type, name] : std::vector<std::pair<std::string, std::string>>{
           {"linear", "DynamicLinear"},
           {"conv2d", "DynamicConv2d"},
           {"conv_transpose3d", "DynamicConvTranspose3d"},
           {"layer_norm", "DynamicLayerNorm"},
           {"embedding", "DynamicEmbedding"},
           {"batch_norm", "DynamicBatchNorm"}}) {
    CAPTURE(type);
    CHECK(for_type(type).class_name == name);
    CHECK(for_type(type).weights);
    CHECK_FALSE(for_type(type).torch_nn);
  }
  CHECK_FALSE(for_type("softmax").weights);
  CHECK(for_type("dropout").random);
}

TEST_CASE("the module is constructed with the arguments of the call") {
  SampleGraph builder;
  const OpId op = builder.functional("softmax", "torch.nn.functional.softmax");
  builder.graph.op(op).attributes = {{"dim", std::int64_t{-1}}};
  const Op& softmax = builder.graph.op(op);
  CHECK(construct_for(softmax, module_for(softmax)) == "nn.Softmax(dim=-1)");
}
