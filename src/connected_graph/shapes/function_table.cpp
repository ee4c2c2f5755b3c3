#include "connected_graph/shapes/functions.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace model_validator::shapes {
namespace {

using namespace functions;

struct Row {
  std::string_view type;
  ShapeFunction function;
};

/// ONNX's own operators. Sorted.
constexpr auto onnx_rows = std::to_array<Row>({
    {"Abs", same_as_first},
    {"Acos", same_as_first},
    {"Acosh", same_as_first},
    {"Add", broadcasting},
    {"And", broadcasting},
    {"ArgMax", arg_reduction},
    {"ArgMin", arg_reduction},
    {"Asin", same_as_first},
    {"Asinh", same_as_first},
    {"Atan", same_as_first},
    {"Atanh", same_as_first},
    {"Attention", attention},
    {"AveragePool", pooling},
    {"BatchNormalization", batch_norm},
    {"Bernoulli", same_as_first},
    {"BitShift", broadcasting},
    {"BitwiseAnd", broadcasting},
    {"BitwiseNot", same_as_first},
    {"BitwiseOr", broadcasting},
    {"BitwiseXor", broadcasting},
    {"Cast", cast},
    {"CastLike", same_as_first},
    {"Ceil", rounding},
    {"Celu", same_as_first},
    {"Clip", clip},
    {"Compress", compress},
    {"Concat", concat},
    {"ConstantOfShape", constant_of_shape},
    {"Conv", convolution},
    {"ConvInteger", integer_convolution},
    {"ConvTranspose", transposed_convolution},
    {"Cos", same_as_first},
    {"Cosh", same_as_first},
    {"CumProd", same_as_first},
    {"CumSum", same_as_first},
    {"DepthToSpace", depth_to_space},
    {"DequantizeLinear", quantise},
    {"Det", determinant},
    {"Div", broadcasting},
    {"Dropout", dropout},
    {"DynamicQuantizeLinear", dynamic_quantize},
    {"Einsum", einsum},
    {"Elu", same_as_first},
    {"Equal", broadcasting},
    {"Erf", same_as_first},
    {"Exp", same_as_first},
    {"Expand", expand},
    {"EyeLike", same_as_first},
    {"Flatten", flatten},
    {"Floor", rounding},
    {"GRU", gru},
    {"Gather", gather},
    {"GatherElements", gather_elements},
    {"GatherND", gather_nd},
    {"Gelu", same_as_first},
    {"Gemm", gemm},
    {"GlobalAveragePool", global_pooling},
    {"GlobalLpPool", global_pooling},
    {"GlobalMaxPool", global_pooling},
    {"Greater", broadcasting},
    {"GreaterOrEqual", broadcasting},
    {"GridSample", grid_sample},
    {"GroupNormalization", same_as_first},
    {"HardSigmoid", same_as_first},
    {"HardSwish", same_as_first},
    {"Hardmax", along_axis},
    {"Identity", identity},
    {"InstanceNormalization", instance_norm},
    {"IsInf", same_as_first},
    {"IsNaN", same_as_first},
    {"LRN", same_as_first},
    {"LSTM", lstm},
    {"LayerNormalization", layer_norm},
    {"LeakyRelu", same_as_first},
    {"Less", broadcasting},
    {"LessOrEqual", broadcasting},
    {"Log", same_as_first},
    {"LogSoftmax", along_axis},
    {"LpNormalization", along_axis},
    {"LpPool", pooling},
    {"MatMul", matmul},
    {"MatMulInteger", matmul},
    {"Max", broadcasting},
    {"MaxPool", pooling},
    {"MaxRoiPool", regions_of_interest},
    {"Mean", broadcasting},
    {"MeanVarianceNormalization", same_as_first},
    {"Min", broadcasting},
    {"Mish", same_as_first},
    {"Mod", broadcasting},
    {"Mul", broadcasting},
    {"Neg", negation},
    {"NonMaxSuppression", boxes},
    {"NonZero", non_zero},
    {"Not", negation},
    {"OneHot", one_hot},
    {"Or", broadcasting},
    {"PRelu", parametric_relu},
    {"Pad", pad},
    {"Pow", broadcasting},
    {"QLinearConv", quantised_convolution},
    {"QLinearMatMul", quantised_matmul},
    {"QuantizeLinear", quantise},
    {"RMSNormalization", layer_norm},
    {"RNN", rnn},
    {"RandomNormal", random_of_shape},
    {"RandomNormalLike", same_as_first},
    {"RandomUniform", random_of_shape},
    {"RandomUniformLike", same_as_first},
    {"Range", functions::range},
    {"Reciprocal", same_as_first},
    {"ReduceL1", reduction},
    {"ReduceL2", reduction},
    {"ReduceLogSum", reduction},
    {"ReduceLogSumExp", reduction},
    {"ReduceMax", reduction},
    {"ReduceMean", reduction},
    {"ReduceMin", reduction},
    {"ReduceProd", reduction},
    {"ReduceSum", reduction},
    {"ReduceSumSquare", reduction},
    {"Relu", same_as_first},
    {"Reshape", reshape},
    {"Resize", resize},
    {"ReverseSequence", same_as_first},
    {"RoiAlign", regions_of_interest},
    {"RotaryEmbedding", same_as_first},
    {"Round", rounding},
    {"Scatter", scatter_elements},
    {"ScatterElements", scatter_elements},
    {"ScatterND", scatter_nd},
    {"Selu", same_as_first},
    {"Shape", shape_of},
    {"Shrink", same_as_first},
    {"Sigmoid", same_as_first},
    {"Sign", same_as_first},
    {"SimplifiedLayerNormalization", layer_norm},
    {"Sin", same_as_first},
    {"Sinh", same_as_first},
    {"Size", size_of},
    {"Slice", slice},
    {"Softmax", along_axis},
    {"Softplus", same_as_first},
    {"Softsign", same_as_first},
    {"SpaceToDepth", space_to_depth},
    {"Split", split},
    {"Sqrt", same_as_first},
    {"Squeeze", squeeze},
    {"Sub", broadcasting},
    {"Sum", broadcasting},
    {"Swish", same_as_first},
    {"Tan", same_as_first},
    {"Tanh", same_as_first},
    {"TensorScatter", same_as_first},
    {"ThresholdedRelu", same_as_first},
    {"Tile", tile},
    {"TopK", top_k},
    {"Transpose", transpose},
    {"Trilu", same_as_first},
    {"Unsqueeze", unsqueeze},
    {"Upsample", upsample},
    {"Where", functions::where},
    {"Xor", broadcasting},
});

/// What exporters and ONNX Runtime's own optimiser write of `com.microsoft`. Sorted.
constexpr auto microsoft_rows = std::to_array<Row>({
    {"Attention", packed_attention},
    {"BiasAdd", same_as_first},
    {"BiasDropout", dropout},
    {"BiasGelu", biased},
    {"BiasSoftmax", same_as_first},
    {"BitmaskDropout", same_as_first},
    {"DequantizeLinear", quantise},
    {"DynamicQuantizeMatMul", matmul},
    {"EmbedLayerNormalization", embed_layer_norm},
    {"FastGelu", biased},
    {"FusedConv", convolution},
    {"FusedGemm", gemm},
    {"FusedMatMul", fused_matmul},
    {"FusedMatMulActivation", fused_matmul},
    {"GatherBlockQuantized", gather},
    {"Gelu", same_as_first},
    {"GroupNorm", same_as_first},
    {"GroupQueryAttention", group_query_attention},
    {"Inverse", same_as_first},
    {"MatMulBnb4", matmul_of_packed_bits},
    {"MatMulInteger16", matmul},
    {"MatMulIntegerToFloat", matmul},
    {"MatMulNBits", matmul_of_packed_bits},
    {"MoE", same_as_first},
    {"MultiHeadAttention", multi_head_attention},
    {"QAttention", packed_attention},
    {"QGemm", quantised_gemm},
    {"QLinearAdd", quantised_pair},
    {"QLinearAveragePool", pooling},
    {"QLinearConcat", quantised_concat},
    {"QLinearGlobalAveragePool", global_pooling},
    {"QLinearLeakyRelu", same_as_first},
    {"QLinearMul", quantised_pair},
    {"QLinearSigmoid", same_as_first},
    {"QLinearSoftmax", same_as_first},
    {"QLinearWhere", quantised_where},
    {"QMoE", same_as_first},
    {"QuantizeLinear", quantise},
    {"QuickGelu", same_as_first},
    {"RotaryEmbedding", same_as_first},
    {"SkipGroupNorm", same_as_first},
    {"SkipLayerNormalization", skip_layer_norm},
    {"SkipSimplifiedLayerNormalization", skip_layer_norm},
    {"TransposeMatMul", fused_matmul},
    {"Trilu", same_as_first},
});

template <std::size_t count>
ShapeFunction function_in(const std::array<Row, count>& rows, std::string_view type) {
  const auto row =
      std::lower_bound(rows.begin(), rows.end(), type,
                       [](const Row& each, std::string_view wanted) { return each.type < wanted; });
  return row != rows.end() && row->type == type ? row->function : nullptr;
}

ShapeFunction function_of(const Node& node) {
  if (node.domain.empty()) return function_in(onnx_rows, node.type);
  return node.domain == "com.microsoft" ? function_in(microsoft_rows, node.type) : nullptr;
}

} // namespace

std::vector<Value> infer(const Node& node, Sizes& sizes, Facts& facts) {
  Inference inference(node, sizes, facts);
  const std::size_t known_faults = facts.mismatches.size();
  if (const ShapeFunction function = function_of(node)) function(inference);
  for (Value& output : inference.outputs) {
    // Of what cannot be computed nothing follows.
    if (facts.mismatches.size() > known_faults) output = {};
    output.source = Source::node;
    output.node = node.number;
  }
  return std::move(inference.outputs);
}

} // namespace model_validator::shapes
