#include "connected_graph/canonical_type.h"

#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"
#include "connected_graph/undecomposed_type.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

namespace model_validator {
namespace {

/// `2d` from the attribute that has one number per spatial dimension; empty if there is none.
std::string dimensions_of(const std::vector<Attribute>& attributes) {
  for (const char* name : {"stride", "kernel_size", "kernel_shape", "strides", "dilations"})
    if (const auto* sizes = find_attribute<std::vector<std::int64_t>>(attributes, name))
      return std::to_string(sizes->size()) + "d";
  return {};
}

std::string of_convolution(const std::vector<Attribute>& attributes, bool transposed) {
  const std::string dimensions = dimensions_of(attributes);
  if (dimensions.empty()) return "convolution";
  return (transposed ? "conv_transpose" : "conv") + dimensions;
}

/// Operators with different names in ONNX and PyTorch: `ONNX=PyTorch`.
constexpr auto onnx_names = word_array<
    "And=logical_and ArgMax=argmax ArgMin=argmin Attention=scaled_dot_product_attention "
    "BatchNormalization=batch_norm BitShift=bitwise_shift Cast=to CastLike=to Clip=clamp "
    "Col2Im=fold Compress=masked_select Concat=cat ConcatFromSequence=cat ConstantOfShape=full "
    "CumSum=cumsum DepthToSpace=pixel_shuffle DequantizeLinear=dequantize Det=det Einsum=einsum "
    "Equal=eq EyeLike=eye Flatten=flatten GRU=gru Gather=index_select GatherElements=gather "
    "GatherND=index GlobalAveragePool=adaptive_avg_pool GlobalMaxPool=adaptive_max_pool Greater=gt "
    "GreaterOrEqual=ge GridSample=grid_sampler GroupNormalization=group_norm "
    "HardSigmoid=hardsigmoid HardSwish=hardswish InstanceNormalization=instance_norm IsInf=isinf "
    "IsNaN=isnan LSTM=lstm LayerNormalization=layer_norm Less=lt LessOrEqual=le "
    "LogSoftmax=log_softmax MatMul=matmul Max=maximum Mean=mean Min=minimum Mod=remainder "
    "Multinomial=multinomial NonMaxSuppression=nms NonZero=nonzero Not=logical_not OneHot=one_hot "
    "Or=logical_or QuantizeLinear=quantize_per_tensor RMSNormalization=rms_norm RNN=rnn "
    "RandomNormal=randn RandomNormalLike=randn_like RandomUniform=rand RandomUniformLike=rand_like "
    "Range=arange ReduceL2=norm ReduceLogSumExp=logsumexp ReduceMax=amax ReduceMean=mean "
    "ReduceMin=amin ReduceProd=prod ReduceSum=sum Resize=interpolate ScatterElements=scatter "
    "ScatterND=index_put SpaceToDepth=pixel_unshuffle SplitToSequence=split TopK=topk "
    "Transpose=permute Trilu=triu Upsample=interpolate Xor=logical_xor">;

/// A `Gemm` that transposes the weight is an exported linear layer.
std::string of_gemm(const std::vector<Attribute>& attributes) {
  const auto* transposed = find_attribute<std::int64_t>(attributes, "transB");
  return transposed != nullptr && *transposed != 0 ? "linear" : "addmm";
}

/// `Trilu` keeps the upper triangle by default.
std::string of_trilu(const std::vector<Attribute>& attributes) {
  const auto* upper = find_attribute<std::int64_t>(attributes, "upper");
  return upper != nullptr && *upper == 0 ? "tril" : "triu";
}

std::string of_onnx(std::string_view name, const std::vector<Attribute>& attributes) {
  if (name == "Conv") return of_convolution(attributes, false);
  if (name == "ConvTranspose") return of_convolution(attributes, true);
  if (name == "Gemm") return of_gemm(attributes);
  if (name == "Trilu") return of_trilu(attributes);
  if (name == "MaxPool") return "max_pool" + dimensions_of(attributes);
  if (name == "AveragePool") return "avg_pool" + dimensions_of(attributes);
  const std::string_view known = paired_with(name, onnx_names);
  return known.empty() ? type_of_schema("onnx::" + std::string(name)) : std::string(known);
}

} // namespace

std::string canonical_type(std::string_view schema, const std::vector<Attribute>& attributes) {
  constexpr std::string_view onnx = "onnx::";
  if (schema.starts_with(onnx)) return of_onnx(schema.substr(onnx.size()), attributes);
  std::string type = undecomposed_type(schema);
  constexpr auto& convolutions = word_array<"_convolution _convolution_mode convolution">;
  if (!contains(convolutions, type)) return type;
  const bool* transposed = find_attribute<bool>(attributes, "transposed");
  return of_convolution(attributes, transposed != nullptr && *transposed);
}

} // namespace model_validator
