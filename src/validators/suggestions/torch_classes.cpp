#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/words.h>

#include <algorithm>
#include <utility>

namespace model_validator {
namespace {

using Argument = ConstructorArgument;
using Arguments = std::vector<Argument>;
/// Classes that are constructed alike, and how.
using Row = std::pair<std::string_view, Arguments>;

Origin attribute(std::string_view name) { return {Origin::Kind::attribute, name}; }
Origin operand(std::string_view name) { return {Origin::Kind::operand, name}; }
Origin operand_or_none(std::string_view name, std::string_view absent) {
  Origin origin = operand(name);
  origin.absent = absent;
  return origin;
}
Origin presence(std::string_view parameter) { return {Origin::Kind::presence, parameter}; }
Origin dimensions(std::string_view parameter, std::size_t first) {
  return {Origin::Kind::dimensions, parameter, first};
}
Origin dimension(std::string_view parameter, std::size_t index, std::string_view times = {},
                 std::size_t divided_by = 1) {
  return {Origin::Kind::dimension, parameter, index, times, divided_by};
}

/// An argument kept as an attribute of the same name, and given to the operator under that name.
Argument plain(std::string_view name, std::string_view default_value = {}, Origin other = {}) {
  Argument argument{name, default_value, {attribute(name), operand(name)}};
  if (!other.name.empty()) argument.origins.push_back(other);
  return argument;
}
/// One that has an element for each spatial dimension.
Argument spatial(std::string_view name, std::string_view default_value = {}, Origin other = {}) {
  Argument argument = plain(name, default_value, other);
  argument.tuples = Tuples::scalar_if_uniform;
  return argument;
}
Argument stride_of_pool() {
  Argument argument = spatial("stride", "None");
  argument.follows = "kernel_size";
  return argument;
}
/// A switch that is on where the module has the parameter.
Argument has(std::string_view name, std::string_view parameter, std::string_view default_value) {
  return {name, default_value, {attribute(name), presence(parameter)}};
}
/// `bias` is an attribute of the module, but holds the parameter.
Argument bias() { return {"bias", "True", {presence("bias")}}; }
/// That of a normalization, which may have only a weight.
Argument bias_beside_weight() {
  Origin origin = presence("bias");
  origin.beside = "weight";
  Argument argument{"bias", "True", {origin}};
  argument.leaves_no_trace = true;
  return argument;
}
Argument inplace() {
  return {"inplace", "False", {attribute("inplace"), {Origin::Kind::in_place, "inplace"}}};
}
/// One that the operators of a module show only where it is not the default.
Argument silent(std::string_view name, std::string_view default_value) {
  Argument argument = plain(name, default_value);
  argument.leaves_no_trace = true;
  return argument;
}
Argument silent_spatial(std::string_view name, std::string_view default_value) {
  Argument argument = spatial(name, default_value);
  argument.leaves_no_trace = true;
  return argument;
}

/// A size that a parameter has as well.
Argument sized(std::string_view name, Origin shape) { return {name, {}, {attribute(name), shape}}; }

/// Other modes than zeros pad beforehand, each dimension twice and in reverse, and convolve
/// without.
Argument conv_padding() {
  Origin beforehand = operand("pad");
  beforehand.uniform_only = true;
  return {"padding",
          "0",
          {attribute("padding"), beforehand, operand("padding")},
          Tuples::scalar_if_uniform};
}
Argument padding_mode() {
  Argument argument{"padding_mode", "'zeros'", {attribute("padding_mode"), operand("mode")}};
  argument.leaves_no_trace = true;
  return argument;
}

/// A signature that begins as another one does.
Arguments with(Arguments signature, const Arguments& more) {
  signature.insert(signature.end(), more.begin(), more.end());
  return signature;
}

Arguments batch_norm() {
  return {{"num_features",
           {},
           {attribute("num_features"), dimension("weight", 0), dimension("running_mean", 0)}},
          plain("eps", "1e-05"),
          plain("momentum", "0.1"),
          has("affine", "weight", "True"),
          has("track_running_stats", "running_mean", "True"),
          bias_beside_weight()};
}
Arguments instance_norm() {
  Arguments arguments = batch_norm();
  arguments[3].default_value = arguments[4].default_value = "False";
  return arguments;
}
Arguments layer_norm() {
  return {{"normalized_shape",
           {},
           {attribute("normalized_shape"), operand("normalized_shape"), dimensions("weight", 0)},
           Tuples::scalar_if_single},
          plain("eps", "1e-05"),
          has("elementwise_affine", "weight", "True"),
          bias_beside_weight()};
}
Arguments rms_norm() {
  Arguments arguments = layer_norm();
  arguments.pop_back();
  arguments[1].default_value = "None";
  return arguments;
}
Arguments recurrent(std::size_t gates) {
  return {sized("input_size", dimension("weight_ih_l0", 1)),
          sized("hidden_size", dimension("weight_ih_l0", 0, {}, gates)),
          plain("num_layers", "1"),
          {"bias", "True", {attribute("bias"), operand("has_biases"), presence("bias_ih_l0")}},
          plain("batch_first", "False"),
          plain("dropout", "0.0"),
          plain("bidirectional", "False")};
}
Arguments rnn() {
  Arguments arguments = recurrent(1);
  arguments.insert(arguments.begin() + 3, silent("nonlinearity", "'tanh'"));
  return arguments;
}
Arguments cell(std::size_t gates) {
  return {sized("input_size", dimension("weight_ih", 1)),
          sized("hidden_size", dimension("weight_ih", 0, {}, gates)),
          {"bias", "True", {attribute("bias"), presence("bias_ih")}}};
}

std::vector<Row> table() {
  Argument projection{"proj_size", "0", {attribute("proj_size"), dimension("weight_hr_l0", 0)}};
  projection.leaves_no_trace = true;
  const Arguments avg_pool{spatial("kernel_size"), stride_of_pool(), spatial("padding", "0"),
                           plain("ceil_mode", "False"), plain("count_include_pad", "True")};
  const Arguments padding{spatial("padding", {}, operand("pad"))};
  const Arguments upsampling{spatial("size", "None", operand("output_size")),
                             spatial("scale_factor", "None", operand("scale_factors"))};
  return {
      {"AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d", {spatial("output_size")}},
      {"AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d",
       {spatial("output_size"), silent("return_indices", "False")}},
      {"AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
       {plain("p", "0.5"), inplace()}},
      {"AvgPool1d", avg_pool},
      {"AvgPool2d AvgPool3d", with(avg_pool, {plain("divisor_override", "None")})},
      {"BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm", batch_norm()},
      {"Bilinear",
       {sized("in1_features", dimension("weight", 1)),
        sized("in2_features", dimension("weight", 2)),
        sized("out_features", dimension("weight", 0)), bias()}},
      {"CELU ELU", {plain("alpha", "1.0"), inplace()}},
      {"ChannelShuffle", {plain("groups")}},
      {"CircularPad1d CircularPad2d CircularPad3d ReflectionPad1d ReflectionPad2d ReflectionPad3d "
       "ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
       padding},
      {"ConstantPad1d ConstantPad2d ConstantPad3d", with(padding, {plain("value")})},
      {"Conv1d Conv2d Conv3d",
       {sized("in_channels", dimension("weight", 1, "groups")),
        sized("out_channels", dimension("weight", 0)),
        spatial("kernel_size", {}, dimensions("weight", 2)), spatial("stride", "1"), conv_padding(),
        spatial("dilation", "1"), plain("groups", "1"), bias(), padding_mode()}},
      {"ConvTranspose1d ConvTranspose2d ConvTranspose3d",
       {sized("in_channels", dimension("weight", 0)),
        sized("out_channels", dimension("weight", 1, "groups")),
        spatial("kernel_size", {}, dimensions("weight", 2)), spatial("stride", "1"),
        spatial("padding", "0"), spatial("output_padding", "0"), plain("groups", "1"), bias(),
        spatial("dilation", "1"), silent("padding_mode", "'zeros'")}},
      {"CosineSimilarity", {plain("dim", "1"), plain("eps", "1e-08")}},
      {"CrossMapLRN2d",
       {plain("size"), plain("alpha", "0.0001"), plain("beta", "0.75"), plain("k", "1")}},
      {"Embedding",
       {sized("num_embeddings", dimension("weight", 0)),
        sized("embedding_dim", dimension("weight", 1)),
        {"padding_idx", "None", {attribute("padding_idx"), operand_or_none("padding_idx", "-1")}},
        silent("max_norm", "None"),
        silent("norm_type", "2.0"),
        plain("scale_grad_by_freq", "False"),
        plain("sparse", "False")}},
      {"EmbeddingBag",
       {sized("num_embeddings", dimension("weight", 0)),
        sized("embedding_dim", dimension("weight", 1)),
        silent("max_norm", "None"),
        silent("norm_type", "2.0"),
        plain("scale_grad_by_freq", "False"),
        {"mode", "'mean'", {attribute("mode")}},
        plain("sparse", "False"),
        plain("include_last_offset", "False"),
        silent("padding_idx", "None")}},
      {"Flatten", {plain("start_dim", "1"), plain("end_dim", "-1")}},
      {"Fold",
       {spatial("output_size"), spatial("kernel_size"), spatial("dilation", "1"),
        spatial("padding", "0"), spatial("stride", "1")}},
      {"FractionalMaxPool2d FractionalMaxPool3d",
       {spatial("kernel_size"), spatial("output_size", "None"), silent("output_ratio", "None"),
        silent("return_indices", "False")}},
      {"GELU", {plain("approximate", "'none'")}},
      {"GLU", {plain("dim", "-1")}},
      {"GRU", recurrent(3)},
      {"GRUCell", cell(3)},
      {"GroupNorm",
       {plain("num_groups"), sized("num_channels", dimension("weight", 0)), plain("eps", "1e-05"),
        has("affine", "weight", "True"), bias_beside_weight()}},
      {"Hardshrink Softshrink", {plain("lambd", "0.5")}},
      {"Hardsigmoid Hardswish Mish ReLU ReLU6 SELU SiLU", {inplace()}},
      {"Hardtanh", {plain("min_val", "-1.0"), plain("max_val", "1.0"), inplace()}},
      {"Identity LogSigmoid Sigmoid Softmax2d Softsign Tanh Tanhshrink", {}},
      {"InstanceNorm1d InstanceNorm2d InstanceNorm3d", instance_norm()},
      {"LPPool1d LPPool2d LPPool3d",
       {plain("norm_type"), spatial("kernel_size"), stride_of_pool(), plain("ceil_mode", "False")}},
      {"LSTM", with(recurrent(4), {projection})},
      {"LSTMCell", cell(4)},
      {"LayerNorm", layer_norm()},
      {"LeakyReLU", {plain("negative_slope", "0.01"), inplace()}},
      {"Linear",
       {sized("in_features", dimension("weight", 1)), sized("out_features", dimension("weight", 0)),
        bias()}},
      {"LocalResponseNorm",
       {plain("size"), plain("alpha", "0.0001"), plain("beta", "0.75"), plain("k", "1.0")}},
      {"LogSoftmax Softmax Softmin", {plain("dim", "None")}},
      {"MaxPool1d MaxPool2d MaxPool3d",
       {spatial("kernel_size"), stride_of_pool(), spatial("padding", "0"), spatial("dilation", "1"),
        silent("return_indices", "False"), plain("ceil_mode", "False")}},
      {"MaxUnpool1d MaxUnpool2d MaxUnpool3d",
       {spatial("kernel_size"), stride_of_pool(), silent_spatial("padding", "0")}},
      {"PReLU", {{"num_parameters", "1", {attribute("num_parameters"), dimension("weight", 0)}}}},
      {"PairwiseDistance",
       {{"p", "2.0", {attribute("norm"), operand("p")}},
        plain("eps", "1e-06"),
        plain("keepdim", "False")}},
      {"PixelShuffle", {plain("upscale_factor")}},
      {"PixelUnshuffle", {plain("downscale_factor")}},
      {"RMSNorm", rms_norm()},
      {"RNN", rnn()},
      {"RNNCell", with(cell(1), {silent("nonlinearity", "'tanh'")})},
      {"RReLU", {plain("lower", "0.125"), plain("upper", "0.3333333333333333"), inplace()}},
      {"Softplus", {plain("beta", "1.0"), plain("threshold", "20.0")}},
      {"Threshold", {plain("threshold"), plain("value"), inplace()}},
      {"Unflatten", {plain("dim"), plain("unflattened_size", {}, operand("sizes"))}},
      {"Unfold",
       {spatial("kernel_size"), spatial("dilation", "1"), spatial("padding", "0"),
        spatial("stride", "1")}},
      {"Upsample",
       with(upsampling,
            {{"mode",
              "'nearest'",
              {attribute("mode"), operand("mode"), {Origin::Kind::interpolation, "upsample_"}}},
             silent("align_corners", "None"),
             silent("recompute_scale_factor", "None")})},
      {"UpsamplingBilinear2d UpsamplingNearest2d", upsampling},
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
  const auto found = std::ranges::lower_bound(classes, name, {}, &TorchClass::name);
  return found == classes.end() || found->name != name ? nullptr : &*found;
}

bool takes(const TorchClass& type, std::string_view argument) {
  return std::ranges::any_of(type.arguments,
                             [&](const ConstructorArgument& own) { return own.name == argument; });
}

bool has_state(std::string_view name) {
  constexpr auto with_state =
      word_array<"BatchNorm Bilinear Conv Embedding GRU GroupNorm InstanceNorm LSTM LayerNorm "
                 "Linear PReLU RMSNorm RNN SyncBatchNorm">;
  return std::ranges::any_of(with_state,
                             [&](std::string_view each) { return name.starts_with(each); });
}

} // namespace model_validator
