#include "connected_graph/quantised_role.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("an operator's role is the same in every format") {
  for (const char* schema :
       {"onnx::QuantizeLinear", "com.microsoft::QuantizeLinear", "aten::quantize_per_tensor",
        "QuantizeLinear", "quantized_decomposed::quantize_per_channel.default"})
    CHECK(quantised_role(schema) == QuantisedRole::quantise);
  for (const char* schema : {"onnx::DequantizeLinear", "aten::dequantize.self",
                             "quantized_decomposed::dequantize_per_tensor"})
    CHECK(quantised_role(schema) == QuantisedRole::dequantise);
  for (const char* schema :
       {"aten::fake_quantize_per_tensor_affine", "org.openvinotoolkit::FakeQuantize",
        "aten::_fake_quantize_learnable_per_tensor_affine",
        "aten::fused_moving_avg_obs_fake_quant"})
    CHECK(quantised_role(schema) == QuantisedRole::fake_quantise);
  for (const char* schema : {"onnx::QLinearConv", "onnx::MatMulInteger", "com.microsoft::QGemm",
                             "com.microsoft::MatMulNBits", "quantized::conv2d.new",
                             "com.microsoft::DynamicQuantizeMatMul"})
    CHECK(quantised_role(schema) == QuantisedRole::compute);
}

TEST_CASE("an operator that only sounds like it has no role") {
  for (const char* schema : {"onnx::Conv", "aten::q_scale", "aten::quantile", "onnx::BitShift", "",
                             "aten::conv2d", "com.microsoft::QuickGelu"})
    CHECK(quantised_role(schema) == QuantisedRole::other);
}

TEST_CASE("an op has a role by the operators that it stands for") {
  Op op;
  op.schema = "onnx::Conv";
  CHECK(!is_quantised(op));
  op.body = std::make_shared<const std::vector<Operator>>(
      std::vector<Operator>{{"onnx::DequantizeLinear", {}, {}, {}}, {"onnx::Conv", {}, {}, {}}});
  CHECK(is_quantised(op));
}
