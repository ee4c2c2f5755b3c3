#include "support/sample_graph.h"
#include "validators/suggestions/constructor.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using Sizes = std::vector<std::int64_t>;

namespace {

Parameter parameter(std::string name, Sizes shape) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.type.shape = std::move(shape);
  return parameter;
}

Operator convolution(Sizes stride, Sizes padding, std::int64_t groups) {
  return {"aten::_convolution",
          {{"stride", std::move(stride)},
           {"padding", std::move(padding)},
           {"dilation", Sizes{1, 1}},
           {"output_padding", Sizes{0, 0}},
           {"groups", groups}},
          {},
          {}};
}

} // namespace

TEST_CASE("a scripted module's constants give its constructor") {
  ConstructorEvidence evidence;
  evidence.attributes = {{"in_channels", std::int64_t{3}}, {"out_channels", std::int64_t{8}},
                         {"kernel_size", Sizes{2, 2}},     {"stride", Sizes{2, 2}},
                         {"padding", Sizes{2, 2}},         {"dilation", Sizes{1, 1}},
                         {"groups", std::int64_t{1}},      {"padding_mode", std::string("zeros")}};
  evidence.parameters = {parameter("weight", {8, 3, 2, 2})};
  CHECK(construct("Conv2d", evidence) == "nn.Conv2d(3, 8, 2, stride=2, padding=2, bias=False)");
}

TEST_CASE("a traced module's parameters and operators give its constructor") {
  ConstructorEvidence evidence;
  evidence.parameters = {parameter("weight", {8, 1, 3, 5}), parameter("bias", {8})};
  evidence.operators = {convolution({1, 1}, {1, 2}, 8)};
  CHECK(construct("Conv2d", evidence) == "nn.Conv2d(8, 8, (3, 5), padding=(1, 2), groups=8)");

  ConstructorEvidence relu;
  relu.operators = {{"aten::relu_", {}, {}, {}}};
  CHECK(construct("ReLU", relu) == "nn.ReLU(inplace=True)");
  relu.operators = {{"aten::relu", {}, {}, {}}};
  CHECK(construct("ReLU", relu) == "nn.ReLU()");
}

TEST_CASE("a transposed convolution has its channels the other way round") {
  ConstructorEvidence evidence;
  evidence.parameters = {parameter("weight", {16, 4, 2, 2}), parameter("bias", {8})};
  evidence.operators = {convolution({2, 2}, {0, 0}, 2)};
  CHECK(construct("ConvTranspose2d", evidence) ==
        "nn.ConvTranspose2d(16, 8, 2, stride=2, groups=2)");
}

TEST_CASE("padding that another mode adds beforehand is the module's padding") {
  ConstructorEvidence evidence;
  evidence.parameters = {parameter("weight", {8, 3, 3, 3})};
  evidence.operators = {
      {"aten::pad", {{"pad", Sizes{1, 1, 1, 1}}, {"mode", std::string("circular")}}, {}, {}},
      convolution({1, 1}, {0, 0}, 1)};
  CHECK(construct("Conv2d", evidence) ==
        "nn.Conv2d(3, 8, 3, padding=1, bias=False, padding_mode='circular')");
}

TEST_CASE("what cannot be recovered is left open, not guessed") {
  CHECK(construct("Linear", {}) == "nn.Linear(..., ...)");
  CHECK(construct("Conv2d", {}) == "nn.Conv2d(..., ..., ...)");
  CHECK(construct("ReLU", {}) == "nn.ReLU(...)");
  CHECK(construct("Sigmoid", {}) == "nn.Sigmoid()");
  CHECK(construct("SomethingNew", {}) == "nn.SomethingNew(...)");
  ConstructorEvidence unknown_shape;
  unknown_shape.parameters = {parameter("weight", {-1, 4})};
  CHECK(construct("Linear", unknown_shape) == "nn.Linear(4, ..., bias=False)");
}

TEST_CASE("a tuple becomes a number only where the argument means one for each dimension") {
  ConstructorEvidence evidence;
  evidence.attributes = {{"normalized_shape", Sizes{8, 8}}, {"eps", 1e-5}};
  evidence.parameters = {parameter("weight", {8, 8}), parameter("bias", {8, 8})};
  CHECK(construct("LayerNorm", evidence) == "nn.LayerNorm((8, 8))");
  evidence.attributes[0].value = Sizes{64};
  CHECK(construct("LayerNorm", evidence) == "nn.LayerNorm(64)");
}

TEST_CASE("a normalization without bias is distinguished from one without weight") {
  ConstructorEvidence evidence;
  evidence.attributes = {{"normalized_shape", Sizes{64}}, {"eps", 1e-5}};
  evidence.parameters = {parameter("weight", {64})};
  CHECK(construct("LayerNorm", evidence) == "nn.LayerNorm(64, bias=False)");

  evidence.attributes = {{"num_features", std::int64_t{8}}, {"eps", 1e-5}, {"momentum", 0.1}};
  evidence.parameters = {parameter("running_mean", {8}), parameter("running_var", {8})};
  CHECK(construct("BatchNorm2d", evidence) == "nn.BatchNorm2d(8, affine=False)");
}

TEST_CASE("a pool's stride is left out where it is its kernel size") {
  ConstructorEvidence evidence;
  evidence.operators = {{"aten::max_pool2d",
                         {{"kernel_size", Sizes{2, 2}},
                          {"stride", Sizes{2, 2}},
                          {"padding", Sizes{0, 0}},
                          {"dilation", Sizes{1, 1}},
                          {"ceil_mode", false}},
                         {},
                         {}}};
  CHECK(construct("MaxPool2d", evidence) == "nn.MaxPool2d(2)");
  evidence.operators[0].attributes[1].value = Sizes{};
  CHECK(construct("MaxPool2d", evidence) == "nn.MaxPool2d(2)");
  evidence.operators[0].attributes[1].value = Sizes{1, 1};
  CHECK(construct("MaxPool2d", evidence) == "nn.MaxPool2d(2, stride=1)");
}

TEST_CASE("recurrent modules give their sizes by their weights") {
  ConstructorEvidence evidence;
  evidence.parameters = {parameter("weight_ih_l0", {80, 10}), parameter("weight_hh_l0", {80, 20}),
                         parameter("bias_ih_l0", {80}), parameter("bias_hh_l0", {80})};
  evidence.operators = {{"aten::lstm",
                         {{"has_biases", true},
                          {"num_layers", std::int64_t{2}},
                          {"dropout", 0.1},
                          {"train", false},
                          {"bidirectional", true},
                          {"batch_first", true}},
                         {},
                         {}}};
  CHECK(construct("LSTM", evidence) ==
        "nn.LSTM(10, 20, num_layers=2, batch_first=True, dropout=0.1, bidirectional=True)");
}

TEST_CASE("an embedding without padding index has none, although its operator gets -1") {
  ConstructorEvidence evidence;
  evidence.parameters = {parameter("weight", {100, 16})};
  evidence.operators = {
      {"aten::embedding",
       {{"padding_idx", std::int64_t{-1}}, {"scale_grad_by_freq", false}, {"sparse", false}},
       {},
       {}}};
  CHECK(construct("Embedding", evidence) == "nn.Embedding(100, 16)");
  evidence.operators[0].attributes[0].value = std::int64_t{0};
  CHECK(construct("Embedding", evidence) == "nn.Embedding(100, 16, padding_idx=0)");
}

TEST_CASE("the mode of an upsampling is in its operator's name") {
  ConstructorEvidence evidence;
  evidence.operators = {
      {"aten::upsample_nearest2d.vec",
       {{"output_size", std::monostate()}, {"scale_factors", std::vector<double>{2.0, 2.0}}},
       {},
       {}}};
  CHECK(construct("Upsample", evidence) == "nn.Upsample(scale_factor=2.0)");
  evidence.operators[0].schema = "aten::upsample_bilinear2d.vec";
  CHECK(construct("Upsample", evidence) == "nn.Upsample(scale_factor=2.0, mode='bilinear')");
}

TEST_CASE("a class of the user's is constructed with arguments that only the user knows") {
  test::SampleGraph builder;
  const ModuleId block = builder.module("block", "net.Block", false);
  const ModuleId chain = builder.module("chain", "torch.nn.modules.container.Sequential", false);
  const ModuleId drop = builder.module("drop", "torch.nn.modules.dropout.Dropout");
  builder.call(drop, builder.frame(3), 1, none, {{"aten::dropout", {{"p", 0.1}}, {}, {}}});
  CHECK(construct_like(builder.graph, block) == "Block(...)");
  CHECK(construct_like(builder.graph, chain) == "nn.Sequential(...)");
  CHECK(construct_like(builder.graph, drop) == "nn.Dropout(p=0.1)");
}
