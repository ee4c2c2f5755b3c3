#include "support/sample_graph.h"
#include "validators/suggestions/functional_modules.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

ModuleForOp for_type(const std::string& type) {
  SampleGraph builder;
  const OpId op = builder.functional(type, "aten::" + type);
  return module_for(builder.graph, builder.graph.op(op));
}

} // namespace

TEST_CASE("torch's own module is named where there is one") {
  for (const auto& [type, name] : std::vector<std::pair<std::string, std::string>>{
           {"linear", "Linear"},
           {"conv2d", "Conv2d"},
           {"conv_transpose3d", "ConvTranspose3d"},
           {"layer_norm", "LayerNorm"},
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

TEST_CASE("classes with their own weights are distinguished from those without") {
  CHECK(for_type("linear").weights);
  CHECK(for_type("embedding").weights);
  CHECK(for_type("batch_norm").weights);
  CHECK_FALSE(for_type("softmax").weights);
  CHECK(for_type("dropout").random);
}

TEST_CASE("the number of dimensions comes from the weight") {
  SampleGraph builder;
  builder.parameter(0, "kernel", {8, 3, 5});
  const OpId op = builder.functional("_convolution", "aten::_convolution");
  CHECK(module_for(builder.graph, builder.graph.op(op)).class_name == "ConvNd");
  builder.graph.op(op).parameters = builder.graph.module(0).parameters;
  CHECK(module_for(builder.graph, builder.graph.op(op)).class_name == "Conv1d");
  builder.graph.op(op).attributes = {{"transposed", true}};
  CHECK(module_for(builder.graph, builder.graph.op(op)).class_name == "ConvTranspose1d");
}

TEST_CASE("the module is constructed with the arguments of the call") {
  SampleGraph builder;
  const OpId op = builder.functional("softmax", "torch.nn.functional.softmax");
  builder.graph.op(op).attributes = {{"dim", std::int64_t{-1}}};
  const Op& softmax = builder.graph.op(op);
  CHECK(construct_for(builder.graph, softmax, module_for(builder.graph, softmax)) ==
        "nn.Softmax(dim=-1)");
}
