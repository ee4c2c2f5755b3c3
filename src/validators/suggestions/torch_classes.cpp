#include "validators/suggestions/torch_classes.h"

#include "validators/suggestions/torch_signatures.h"

#include <model_validator/data/words.h>

#include <algorithm>
#include <utility>

namespace model_validator {
namespace {

using namespace torch_arguments;
using namespace torch_signatures;

/// Classes that are constructed alike, and how.
using Row = std::pair<std::string_view, std::vector<ConstructorArgument>>;

std::vector<Row> table() {
  return {
      {"AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d", adaptive_avg_pool()},
      {"AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d", adaptive_max_pool()},
      {"AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout", dropout()},
      {"AvgPool1d", avg_pool_1d()},
      {"AvgPool2d AvgPool3d", avg_pool()},
      {"BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm", batch_norm()},
      {"Bilinear", bilinear()},
      {"CELU ELU", {plain("alpha", "1.0"), inplace()}},
      {"ChannelShuffle", {plain("groups")}},
      {"CircularPad1d CircularPad2d CircularPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d "
       "ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
       padding()},
      {"ConstantPad1d ConstantPad2d ConstantPad3d", constant_padding()},
      {"Conv1d Conv2d Conv3d", conv()},
      {"ConvTranspose1d ConvTranspose2d ConvTranspose3d", conv_transpose()},
      {"CosineSimilarity", {plain("dim", "1"), plain("eps", "1e-08")}},
      {"CrossMapLRN2d", response_norm("1")},
      {"Embedding", embedding()},
      {"EmbeddingBag", embedding_bag()},
      {"Flatten", {plain("start_dim", "1"), plain("end_dim", "-1")}},
      {"Fold",
       {spatial("output_size"), spatial("kernel_size"), spatial("dilation", "1"),
        spatial("padding", "0"), spatial("stride", "1")}},
      {"FractionalMaxPool2d FractionalMaxPool3d", fractional_max_pool()},
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
      {"Hardshrink Softshrink", {plain("lambd", "0.5")}},
      {"Hardsigmoid Hardswish Mish ReLU ReLU6 SELU SiLU", {inplace()}},
      {"Hardtanh", {plain("min_val", "-1.0"), plain("max_val", "1.0"), inplace()}},
      {"Identity LogSigmoid Sigmoid Softmax2d Softsign Tanh Tanhshrink", {}},
      {"InstanceNorm1d InstanceNorm2d InstanceNorm3d", instance_norm()},
      {"LPPool1d LPPool2d LPPool3d", lp_pool()},
      {"LSTM", lstm()},
      {"LSTMCell", cell(4)},
      {"LayerNorm", layer_norm()},
      {"LeakyReLU", {plain("negative_slope", "0.01"), inplace()}},
      {"Linear", linear()},
      {"LocalResponseNorm", response_norm("1.0")},
      {"LogSoftmax Softmax Softmin", {plain("dim", "None")}},
      {"MaxPool1d MaxPool2d MaxPool3d", max_pool()},
      {"MaxUnpool1d MaxUnpool2d MaxUnpool3d", max_unpool()},
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
      {"Softplus", {plain("beta", "1.0"), plain("threshold", "20.0")}},
      {"Threshold", {plain("threshold"), plain("value"), inplace()}},
      {"Unflatten", {plain("dim"), plain("unflattened_size", {}, operand("sizes"))}},
      {"Unfold",
       {spatial("kernel_size"), spatial("dilation", "1"), spatial("padding", "0"),
        spatial("stride", "1")}},
      {"Upsample", upsample()},
      {"UpsamplingBilinear2d UpsamplingNearest2d", upsampling()},
  };
}

} // namespace

const std::vector<TorchClass>& torch_classes() {
  static const std::vector<TorchClass> classes = [] {
    std::vector<TorchClass> all;
    for (const auto& [names, arguments] : table())
      for (const std::string_view name : words_in(names)) all.push_back({name, arguments});
    std::ranges::sort(all, {}, &TorchClass::name);
    return all;
  }();
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
  constexpr auto with_state =
      word_array<"BatchNorm Bilinear Conv Embedding GRU GroupNorm InstanceNorm LSTM LayerNorm "
                 "Linear PReLU RMSNorm RNN SyncBatchNorm">;
  return std::any_of(with_state.begin(), with_state.end(),
                     [&](std::string_view each) { return name.starts_with(each); });
}

} // namespace model_validator
