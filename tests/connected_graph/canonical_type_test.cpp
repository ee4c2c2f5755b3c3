#include "connected_graph/canonical_type.h"

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

using Sizes = std::vector<std::int64_t>;

} // namespace

TEST_CASE("a convolution is named by its dimensions in every format") {
  CHECK(canonical_type("aten::conv2d", {}) == "conv2d");
  CHECK(canonical_type("aten::_convolution_mode",
                       {{"stride", Sizes{1}}, {"padding", std::string("same")}}) == "conv1d");
  CHECK(canonical_type("aten::_convolution", {{"stride", Sizes{1, 1}}, {"transposed", false}}) ==
        "conv2d");
  CHECK(canonical_type("aten::convolution", {{"stride", Sizes{2}}, {"transposed", true}}) ==
        "conv_transpose1d");
  CHECK(canonical_type("onnx::Conv", {{"kernel_shape", Sizes{3, 3, 3}}}) == "conv3d");
  CHECK(canonical_type("onnx::ConvTranspose", {{"strides", Sizes{2, 2}}}) == "conv_transpose2d");
}

TEST_CASE("a convolution without known dimensions is named without them") {
  CHECK(canonical_type("onnx::Conv", {}) == "convolution");
  CHECK(canonical_type("aten::_convolution", {}) == "convolution");
}

TEST_CASE("operators of ONNX have PyTorch's names") {
  CHECK(canonical_type("onnx::Concat", {}) == "cat");
  CHECK(canonical_type("onnx::MatMul", {}) == "matmul");
  CHECK(canonical_type("onnx::LayerNormalization", {}) == "layer_norm");
  CHECK(canonical_type("onnx::MaxPool", {{"kernel_shape", Sizes{2, 2}}}) == "max_pool2d");
  CHECK(canonical_type("onnx::Gemm", {{"transB", std::int64_t{1}}}) == "linear");
  CHECK(canonical_type("onnx::Gemm", {}) == "addmm");
  CHECK(canonical_type("onnx::Trilu", {{"upper", std::int64_t{0}}}) == "tril");
  CHECK(canonical_type("onnx::Relu", {}) == "relu");
}

TEST_CASE("an operator that PyTorch has no name for keeps its own") {
  CHECK(canonical_type("onnx::StringNormalizer", {}) == "string_normalizer");
  CHECK(canonical_type("com.microsoft::FusedGemm", {}) == "FusedGemm");
}
