#include "connected_graph/op_type.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("the type of an operator is its name without namespace, overload and underscore") {
  CHECK(type_of_schema("aten::add.Tensor") == "add");
  CHECK(type_of_schema("aten::add_.Tensor") == "add");
  CHECK(type_of_schema("aten::relu_") == "relu");
  CHECK(type_of_schema("aten::conv2d") == "conv2d");
  CHECK(type_of_schema("aten::_convolution") == "_convolution");
  CHECK(type_of_schema("torchvision::nms") == "nms");
  CHECK(type_of_schema("aten::__and__.Tensor") == "__and__");
}

TEST_CASE("the bare name of an operator is as written") {
  CHECK(bare_operator("onnx::LayerNormalization") == "LayerNormalization");
  CHECK(bare_operator("aten::add_.Tensor") == "add_");
  CHECK(bare_operator("Conv") == "Conv");
}

TEST_CASE("classes that hold the packed weights of quantized modules are known") {
  CHECK(holds_packed_weights("torch.ao.nn.quantized.modules.linear.LinearPackedParams"));
  CHECK(holds_packed_weights("torch.nn.quantized.modules.embedding_ops.EmbeddingPackedParams"));
  CHECK(holds_packed_weights("torch.ao.nn.quantized.dynamic.modules.rnn.PackedParameter"));
  CHECK_FALSE(holds_packed_weights("torch.ao.nn.quantized.modules.linear.Linear"));
  CHECK_FALSE(holds_packed_weights("net.LinearPackedParams"));
}

TEST_CASE("operators of ONNX are spelled as those of ATen") {
  CHECK(type_of_schema("onnx::Conv") == "conv");
  CHECK(type_of_schema("onnx::MaxPool") == "max_pool");
  CHECK(type_of_schema("onnx::LayerNormalization") == "layer_normalization");
  CHECK(type_of_schema("onnx::GatherND") == "gather_nd");
}

TEST_CASE("the type of a module is its class spelled as an operator") {
  CHECK(type_of_class("torch.nn.modules.activation.ReLU") == "relu");
  CHECK(type_of_class("torch.nn.modules.activation.ReLU6") == "relu6");
  CHECK(type_of_class("torch.nn.modules.activation.LeakyReLU") == "leaky_relu");
  CHECK(type_of_class("torch.nn.modules.activation.PReLU") == "prelu");
  CHECK(type_of_class("torch.nn.modules.activation.SiLU") == "silu");
  CHECK(type_of_class("torch.nn.modules.activation.GELU") == "gelu");
  CHECK(type_of_class("torch.nn.modules.activation.LogSigmoid") == "logsigmoid");
  CHECK(type_of_class("torch.nn.modules.conv.Conv2d") == "conv2d");
  CHECK(type_of_class("torch.nn.modules.conv.ConvTranspose2d") == "conv_transpose2d");
  CHECK(type_of_class("torch.nn.modules.batchnorm.BatchNorm2d") == "batch_norm2d");
  CHECK(type_of_class("torch.nn.modules.pooling.AdaptiveAvgPool2d") == "adaptive_avg_pool2d");
  CHECK(type_of_class("torch.nn.modules.normalization.RMSNorm") == "rms_norm");
  CHECK(type_of_class("torch.nn.modules.rnn.LSTM") == "lstm");
  CHECK(type_of_class("torch.nn.modules.rnn.LSTMCell") == "lstm_cell");
}

TEST_CASE("the name of an op starts with its type, which may be too long for that") {
  CHECK(start_of_name("max_pool2d") == "max_pool2d");
  CHECK(start_of_name(std::string(1000, 'a')).size() == 100);
  CHECK(start_of_name(std::string(99, 'a') + "\u00e9\u00e9") == std::string(99, 'a'));
}

TEST_CASE("modules of torch.nn are distinguished from the user's own") {
  CHECK(is_torch_nn("torch.nn.modules.activation.ReLU"));
  CHECK(is_torch_nn("torch.ao.nn.quantized.modules.conv.Conv2d"));
  CHECK_FALSE(is_torch_nn("torchvision.ops.misc.FrozenBatchNorm2d"));
  CHECK_FALSE(is_torch_nn("torch.nnx.ReLU"));
}
