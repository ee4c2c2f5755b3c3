#include "validators/suggestions/torch_classes.h"

#include "validators/suggestions/torch_signatures.h"

#include <algorithm>
#include <array>

namespace model_validator {
namespace {

using namespace torch_arguments;
using namespace torch_signatures;

std::vector<TorchClass> table() {
  return {
      {"AdaptiveAvgPool1d", adaptive_avg_pool()},
      {"AdaptiveAvgPool2d", adaptive_avg_pool()},
      {"AdaptiveAvgPool3d", adaptive_avg_pool()},
      {"AdaptiveMaxPool1d", adaptive_max_pool()},
      {"AdaptiveMaxPool2d", adaptive_max_pool()},
      {"AdaptiveMaxPool3d", adaptive_max_pool()},
      {"AlphaDropout", dropout()},
      {"AvgPool1d", avg_pool_1d()},
      {"AvgPool2d", avg_pool()},
      {"AvgPool3d", avg_pool()},
      {"BatchNorm1d", batch_norm()},
      {"BatchNorm2d", batch_norm()},
      {"BatchNorm3d", batch_norm()},
      {"Bilinear", bilinear()},
      {"CELU", {plain("alpha", "1.0"), inplace()}},
      {"ChannelShuffle", {plain("groups")}},
      {"CircularPad1d", padding()},
      {"CircularPad2d", padding()},
      {"CircularPad3d", padding()},
      {"ConstantPad1d", constant_padding()},
      {"ConstantPad2d", constant_padding()},
      {"ConstantPad3d", constant_padding()},
      {"Conv1d", conv()},
      {"Conv2d", conv()},
      {"Conv3d", conv()},
      {"ConvTranspose1d", conv_transpose()},
      {"ConvTranspose2d", conv_transpose()},
      {"ConvTranspose3d", conv_transpose()},
      {"CosineSimilarity", {plain("dim", "1"), plain("eps", "1e-08")}},
      {"CrossMapLRN2d", response_norm("1")},
      {"Dropout", dropout()},
      {"Dropout1d", dropout()},
      {"Dropout2d", dropout()},
      {"Dropout3d", dropout()},
      {"ELU", {plain("alpha", "1.0"), inplace()}},
      {"Embedding", embedding()},
      {"EmbeddingBag", embedding_bag()},
      {"FeatureAlphaDropout", dropout()},
      {"Flatten", {plain("start_dim", "1"), plain("end_dim", "-1")}},
      {"Fold",
       {spatial("output_size"), spatial("kernel_size"), spatial("dilation", "1"),
        spatial("padding", "0"), spatial("stride", "1")}},
      {"FractionalMaxPool2d", fractional_max_pool()},
      {"FractionalMaxPool3d", fractional_max_pool()},
      {"GELU", {plain("approximate", "'none'")}},
      {"GLU", {plain("dim", "-1")}},
      {"GRU", recurrent(3)},
      {"GRUCell", cell(3)},
      {"GroupNorm",
       {plain("num_groups"),
        {"num_channels", {}, {attribute("num_channels"), dimension("weight", 0)}},
        plain("eps", "1e-05"),
        has("affine", "weight", "True"),
        bias_beside_weight()}},
      {"Hardshrink", {plain("lambd", "0.5")}},
      {"Hardsigmoid", {inplace()}},
      {"Hardswish", {inplace()}},
      {"Hardtanh", {plain("min_val", "-1.0"), plain("max_val", "1.0"), inplace()}},
      {"Identity", {}},
      {"InstanceNorm1d", instance_norm()},
      {"InstanceNorm2d", instance_norm()},
      {"InstanceNorm3d", instance_norm()},
      {"LPPool1d", lp_pool()},
      {"LPPool2d", lp_pool()},
      {"LPPool3d", lp_pool()},
      {"LSTM", lstm()},
      {"LSTMCell", cell(4)},
      {"LayerNorm", layer_norm()},
      {"LeakyReLU", {plain("negative_slope", "0.01"), inplace()}},
      {"Linear", linear()},
      {"LocalResponseNorm", response_norm("1.0")},
      {"LogSigmoid", {}},
      {"LogSoftmax", {plain("dim", "None")}},
      {"MaxPool1d", max_pool()},
      {"MaxPool2d", max_pool()},
      {"MaxPool3d", max_pool()},
      {"MaxUnpool1d", max_unpool()},
      {"MaxUnpool2d", max_unpool()},
      {"MaxUnpool3d", max_unpool()},
      {"Mish", {inplace()}},
      {"PReLU", {{"num_parameters", "1", {attribute("num_parameters"), dimension("weight", 0)}}}},
      {"PairwiseDistance",
       {{"p", "2.0", {attribute("norm"), operand("p")}},
        plain("eps", "1e-06"),
        plain("keepdim", "False")}},
      {"PixelShuffle", {plain("upscale_factor")}},
      {"PixelUnshuffle", {plain("downscale_factor")}},
      {"RMSNorm", rms_norm()},
      {"RNN", rnn()},
      {"RNNCell", rnn_cell()},
      {"RReLU", {plain("lower", "0.125"), plain("upper", "0.3333333333333333"), inplace()}},
      {"ReLU", {inplace()}},
      {"ReLU6", {inplace()}},
      {"ReflectionPad1d", padding()},
      {"ReflectionPad2d", padding()},
      {"ReflectionPad3d", padding()},
      {"ReplicationPad1d", padding()},
      {"ReplicationPad2d", padding()},
      {"ReplicationPad3d", padding()},
      {"SELU", {inplace()}},
      {"SiLU", {inplace()}},
      {"Sigmoid", {}},
      {"Softmax", {plain("dim", "None")}},
      {"Softmax2d", {}},
      {"Softmin", {plain("dim", "None")}},
      {"Softplus", {plain("beta", "1.0"), plain("threshold", "20.0")}},
      {"Softshrink", {plain("lambd", "0.5")}},
      {"Softsign", {}},
      {"SyncBatchNorm", batch_norm()},
      {"Tanh", {}},
      {"Tanhshrink", {}},
      {"Threshold", {plain("threshold"), plain("value"), inplace()}},
      {"Unflatten", {plain("dim"), plain("unflattened_size", {}, operand("sizes"))}},
      {"Unfold",
       {spatial("kernel_size"), spatial("dilation", "1"), spatial("padding", "0"),
        spatial("stride", "1")}},
      {"Upsample", upsample()},
      {"UpsamplingBilinear2d", upsampling()},
      {"UpsamplingNearest2d", upsampling()},
      {"ZeroPad1d", padding()},
      {"ZeroPad2d", padding()},
      {"ZeroPad3d", padding()},
  };
}

} // namespace

const std::vector<TorchClass>& torch_classes() {
  static const std::vector<TorchClass> classes = table();
  return classes;
}

const TorchClass* find_torch_class(std::string_view name) {
  const auto& classes = torch_classes();
  const auto found = std::lower_bound(
      classes.begin(), classes.end(), name,
      [](const TorchClass& entry, std::string_view wanted) { return entry.name < wanted; });
  return found == classes.end() || found->name != name ? nullptr : &*found;
}

bool takes(const TorchClass& type, std::string_view argument) {
  return std::any_of(type.arguments.begin(), type.arguments.end(),
                     [&](const ConstructorArgument& own) { return own.name == argument; });
}

bool has_state(std::string_view name) {
  constexpr std::array with_state = std::to_array<std::string_view>(
      {"BatchNorm", "Bilinear", "Conv", "Embedding", "GRU", "GroupNorm", "InstanceNorm", "LSTM",
       "LayerNorm", "Linear", "PReLU", "RMSNorm", "RNN", "SyncBatchNorm"});
  return std::any_of(with_state.begin(), with_state.end(),
                     [&](std::string_view each) { return name.starts_with(each); });
}

} // namespace model_validator
