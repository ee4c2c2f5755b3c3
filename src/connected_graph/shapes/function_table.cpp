#include "connected_graph/shapes/functions.h"
#include "connected_graph/shapes/limits.h"
#include "connected_graph/shapes/relations.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <string_view>
#include <unordered_map>

namespace model_validator::shapes {
namespace {

using namespace functions;

struct Row {
  Function* function;
  std::string_view types; ///< that it serves
};

/// ONNX's own operators.
constexpr auto onnx_rows = std::to_array<Row>({
    {same_as_first,
     "Abs Acos Acosh Asin Asinh Atan Atanh Bernoulli BitCast BitwiseNot CastLike Celu Cos "
     "Cosh Elu Erf Exp EyeLike Gelu HardSigmoid HardSwish IsInf "
     "IsNaN LRN LeakyRelu Log MeanVarianceNormalization Mish Optional OptionalGetElement "
     "RandomNormalLike RandomUniformLike Reciprocal RegexFullMatch Relu Selu Shrink Sigmoid Sign "
     "Sin Sinh Softplus "
     "Softsign Sqrt SwiGLU Swish Tan Tanh TensorScatter ThresholdedRelu Trilu"},
    {broadcasting,
     "Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater "
     "GreaterOrEqual Less LessOrEqual Max Mean Min Mod Mul Or Pow StringConcat Sub Sum Xor"},
    {affine_grid, "AffineGrid"},
    {arg_reduction, "ArgMax ArgMin"},
    {attention, "Attention"},
    {pooling, "AveragePool LpPool MaxPool"},
    {batch_norm, "BatchNormalization"},
    {window_of_size, "BlackmanWindow HammingWindow HannWindow"},
    {cast, "Cast"},
    {causal_convolution, "CausalConvWithState"},
    {center_crop_pad, "CenterCropPad"},
    {clip, "Clip"},
    {image_of_columns, "Col2Im"},
    {compress, "Compress"},
    {concat, "Concat"},
    {constant_of_shape, "ConstantOfShape"},
    {convolution, "Conv"},
    {integer_convolution, "ConvInteger"},
    {transposed_convolution, "ConvTranspose"},
    {fourier_transform, "DFT"},
    {deformable_convolution, "DeformConv"},
    {cumulative, "CumProd CumSum"},
    {depth_to_space, "DepthToSpace"},
    {quantise, "DequantizeLinear QuantizeLinear"},
    {determinant, "Det"},
    {dropout, "Dropout"},
    {dynamic_quantize, "DynamicQuantizeLinear"},
    {einsum, "Einsum"},
    {expand, "Expand"},
    {flatten, "Flatten"},
    {gru, "GRU"},
    {gather, "Gather"},
    {gather_elements, "GatherElements"},
    {gather_nd, "GatherND"},
    {gemm, "Gemm"},
    {global_pooling, "GlobalAveragePool GlobalLpPool GlobalMaxPool"},
    {grid_sample, "GridSample"},
    {group_norm, "GroupNormalization"},
    {along_axis, "Hardmax LogSoftmax LpNormalization Softmax"},
    {identity, "Ceil Floor Identity Round"}, // rounding: what is followed is whole already
    {decoded_image, "ImageDecoder"},
    {instance_norm, "InstanceNormalization"},
    {lstm, "LSTM"},
    {layer_norm, "LayerNormalization RMSNormalization SimplifiedLayerNormalization"},
    {linear_attention, "LinearAttention"},
    {matmul, "MatMul MatMulInteger"},
    {regions_of_interest, "MaxRoiPool RoiAlign"},
    {unpooling, "MaxUnpool"},
    {mel_weights, "MelWeightMatrix"},
    {multinomial, "Multinomial"},
    {negation, "Neg Not"},
    {loss, "NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss"},
    {boxes, "NonMaxSuppression"},
    {non_zero, "NonZero"},
    {one_hot, "OneHot"},
    {one_number, "OptionalHasElement SequenceLength"},
    {parametric_relu, "PRelu"},
    {pad, "Pad"},
    {quantised_convolution, "QLinearConv"},
    {quantised_matmul, "QLinearMatMul"},
    {rnn, "RNN"},
    {random_of_shape, "RandomNormal RandomUniform"},
    {functions::range, "Range"},
    {reduction, "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin "
                "ReduceProd ReduceSum ReduceSumSquare"},
    {reshape, "Reshape"},
    {resize, "Resize"},
    {reverse_sequence, "ReverseSequence"},
    {rotary_embedding, "RotaryEmbedding"},
    {short_time_fourier_transform, "STFT"},
    {scatter_elements, "Scatter ScatterElements"},
    {scatter_nd, "ScatterND"},
    {concat_sequence, "ConcatFromSequence"},
    {erase_from_sequence, "SequenceErase"},
    {insert_into_sequence, "SequenceInsert"},
    {length_of_sequence, "SequenceLength"},
    {make_sequence, "SequenceConstruct SequenceEmpty"},
    {no_tensor, "SequenceMap"},
    {split_to_sequence, "SplitToSequence"},
    {take_from_sequence, "SequenceAt"},
    {shape_of, "Shape"},
    {size_of, "Size"},
    {slice, "Slice"},
    {space_to_depth, "SpaceToDepth"},
    {split, "Split"},
    {squeeze, "Squeeze"},
    {normalise_texts, "StringNormalizer"},
    {split_texts, "StringSplit"},
    {count_sequences, "TfIdfVectorizer"},
    {tile, "Tile"},
    {top_k, "TopK"},
    {transpose, "Transpose"},
    {unique, "Unique"},
    {unsqueeze, "Unsqueeze"},
    {upsample, "Upsample"},
    {functions::where, "Where"},
});

/// What exporters and ONNX Runtime's own optimiser write of `com.microsoft`.
constexpr auto microsoft_rows = std::to_array<Row>({
    {packed_attention, "Attention QAttention"},
    {same_as_first,
     "BiasAdd BiasSoftmax BitmaskDropout Gelu GroupNorm Inverse MoE QLinearLeakyRelu "
     "QLinearSigmoid QLinearSoftmax QMoE QuickGelu SkipGroupNorm Trilu"},
    {dropout, "BiasDropout"},
    {biased, "BiasGelu FastGelu"},
    {quantise, "DequantizeLinear QuantizeLinear"},
    {matmul, "DynamicQuantizeMatMul MatMulInteger16 MatMulIntegerToFloat"},
    {embed_layer_norm, "EmbedLayerNormalization"},
    {convolution, "FusedConv"},
    {gemm, "FusedGemm"},
    {fused_matmul, "FusedMatMul FusedMatMulActivation TransposeMatMul"},
    {gather, "GatherBlockQuantized"},
    {group_query_attention, "GroupQueryAttention"},
    {matmul_of_packed_bits, "MatMulBnb4 MatMulNBits"},
    {multi_head_attention, "MultiHeadAttention"},
    {quantised_gemm, "QGemm"},
    {quantised_pair, "QLinearAdd QLinearMul"},
    {pooling, "QLinearAveragePool"},
    {quantised_concat, "QLinearConcat"},
    {global_pooling, "QLinearGlobalAveragePool"},
    {quantised_where, "QLinearWhere"},
    {rotary_embedding, "RotaryEmbedding"},
    {skip_layer_norm, "SkipLayerNormalization SkipSimplifiedLayerNormalization"},
});

/// What converters of fitted models write.
constexpr auto ml_rows = std::to_array<Row>({
    {same_as_first, "Binarizer Imputer LabelEncoder Normalizer Scaler"},
});

using Functions = std::unordered_map<std::string_view, Function*>;

Functions by_type(std::span<const Row> rows) {
  Functions functions;
  for (const Row& row : rows)
    for (const std::string_view type : words_in(row.types)) functions.emplace(type, row.function);
  return functions;
}

Function* function_of(const Node& node) {
  static const std::unordered_map<std::string_view, Functions> of_domains{
      {"", by_type(onnx_rows)},
      {"ai.onnx.ml", by_type(ml_rows)},
      {"com.microsoft", by_type(microsoft_rows)}};
  const auto functions = of_domains.find(node.domain);
  if (functions == of_domains.end()) return nullptr;
  const auto found = functions->second.find(node.type);
  return found == functions->second.end() ? nullptr : found->second;
}

/// What comes of operands whose numbers of axes are decided when the model runs.
bool is_open(const Node& node) {
  bool any = false;
  for (const Value* input : node.inputs) {
    if (input == nullptr || input->shape) continue;
    if (!input->open) return false;
    any = true;
  }
  return any;
}

/// Of what cannot be computed nothing follows; a padding that is too large leaves sizes defined.
bool is_sized(const Facts& facts, std::size_t known_faults) {
  return std::ranges::all_of(
      facts.mismatches | std::views::drop(known_faults),
      [](const Mismatch& fault) { return fault.reason.starts_with("padding"); });
}

} // namespace

std::vector<Value> infer(const Node& node, Sizes& sizes, Facts& facts) {
  Inference inference(node, sizes, facts);
  const std::size_t known_faults = facts.mismatches.size();
  Function* const function = function_of(node);
  if (function != nullptr && is_within_limits(inference)) function(inference);
  if (facts.mismatches.size() == known_faults) check_relations(inference);
  const bool open = function != nullptr && is_open(node);
  for (Value& output : inference.outputs) {
    if (!is_sized(facts, known_faults)) output = {};
    output.open = open && !output.shape;
    output.source = Source::node;
    output.node = node.number;
  }
  return std::move(inference.outputs);
}

} // namespace model_validator::shapes
