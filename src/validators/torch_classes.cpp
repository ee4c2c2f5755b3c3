#include "validators/torch_classes.h"

#include <algorithm>

namespace model_validator {
namespace {

using Argument = ConstructorArgument;
using Arguments = std::vector<Argument>;

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
Argument plain(std::string_view name, std::string_view standard = {}, Origin other = {}) {
  Argument argument{name, standard, {attribute(name), operand(name)}};
  if (!other.name.empty()) argument.origins.push_back(other);
  return argument;
}
/// One that has an element for each spatial dimension.
Argument spatial(std::string_view name, std::string_view standard = {}, Origin other = {}) {
  Argument argument = plain(name, standard, other);
  argument.tuples = Tuples::scalar_if_uniform;
  return argument;
}
Argument stride_of_pool() {
  Argument argument = spatial("stride", "None");
  argument.follows = "kernel_size";
  return argument;
}
/// A switch that is on where the module has the parameter.
Argument has(std::string_view name, std::string_view parameter, std::string_view standard) {
  return {name, standard, {attribute(name), presence(parameter)}};
}
/// `bias` is an attribute of the module, but holds the parameter.
Argument bias() { return {"bias", "True", {presence("bias")}}; }
/// That of a normalization, which may have a weight alone.
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
Argument silent(std::string_view name, std::string_view standard) {
  Argument argument = plain(name, standard);
  argument.leaves_no_trace = true;
  return argument;
}
Argument silent_spatial(std::string_view name, std::string_view standard) {
  Argument argument = spatial(name, standard);
  argument.leaves_no_trace = true;
  return argument;
}

Argument in_channels(Origin shape) {
  return {"in_channels", {}, {attribute("in_channels"), shape}};
}
Argument out_channels(Origin shape) {
  return {"out_channels", {}, {attribute("out_channels"), shape}};
}

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

Arguments conv() {
  return {in_channels(dimension("weight", 1, "groups")),
          out_channels(dimension("weight", 0)),
          spatial("kernel_size", {}, dimensions("weight", 2)),
          spatial("stride", "1"),
          conv_padding(),
          spatial("dilation", "1"),
          plain("groups", "1"),
          bias(),
          padding_mode()};
}
Arguments conv_transpose() {
  return {in_channels(dimension("weight", 0)),
          out_channels(dimension("weight", 1, "groups")),
          spatial("kernel_size", {}, dimensions("weight", 2)),
          spatial("stride", "1"),
          spatial("padding", "0"),
          spatial("output_padding", "0"),
          plain("groups", "1"),
          bias(),
          spatial("dilation", "1"),
          silent("padding_mode", "'zeros'")};
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
  arguments[3].standard = arguments[4].standard = "False";
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
  arguments[1].standard = "None";
  return arguments;
}
Arguments max_pool() {
  return {spatial("kernel_size"),
          stride_of_pool(),
          spatial("padding", "0"),
          spatial("dilation", "1"),
          silent("return_indices", "False"),
          plain("ceil_mode", "False")};
}
Arguments avg_pool_1d() {
  return {spatial("kernel_size"), stride_of_pool(), spatial("padding", "0"),
          plain("ceil_mode", "False"), plain("count_include_pad", "True")};
}
Arguments avg_pool() {
  Arguments arguments = avg_pool_1d();
  arguments.push_back(plain("divisor_override", "None"));
  return arguments;
}
Arguments lp_pool() {
  return {plain("norm_type"), spatial("kernel_size"), stride_of_pool(),
          plain("ceil_mode", "False")};
}
Arguments max_unpool() {
  return {spatial("kernel_size"), stride_of_pool(), silent_spatial("padding", "0")};
}
Arguments fractional_max_pool() {
  return {spatial("kernel_size"), spatial("output_size", "None"), silent("output_ratio", "None"),
          silent("return_indices", "False")};
}
Arguments adaptive_avg_pool() { return {spatial("output_size")}; }
Arguments adaptive_max_pool() {
  return {spatial("output_size"), silent("return_indices", "False")};
}
Arguments dropout() { return {plain("p", "0.5"), inplace()}; }
Arguments padding() { return {spatial("padding", {}, operand("pad"))}; }
Arguments constant_padding() {
  Arguments arguments = padding();
  arguments.push_back(plain("value"));
  return arguments;
}
Arguments upsampling() {
  return {spatial("size", "None", operand("output_size")),
          spatial("scale_factor", "None", operand("scale_factors"))};
}
Arguments upsample() {
  Arguments arguments = upsampling();
  arguments.push_back(
      {"mode",
       "'nearest'",
       {attribute("mode"), operand("mode"), {Origin::Kind::interpolation, "upsample_"}}});
  arguments.push_back(silent("align_corners", "None"));
  arguments.push_back(silent("recompute_scale_factor", "None"));
  return arguments;
}

Arguments recurrent(std::size_t gates) {
  return {{"input_size", {}, {attribute("input_size"), dimension("weight_ih_l0", 1)}},
          {"hidden_size", {}, {attribute("hidden_size"), dimension("weight_ih_l0", 0, {}, gates)}},
          plain("num_layers", "1"),
          {"bias", "True", {attribute("bias"), operand("has_biases"), presence("bias_ih_l0")}},
          plain("batch_first", "False"),
          plain("dropout", "0.0"),
          plain("bidirectional", "False")};
}
Arguments lstm() {
  Arguments arguments = recurrent(4);
  Argument projection{"proj_size", "0", {attribute("proj_size"), dimension("weight_hr_l0", 0)}};
  projection.leaves_no_trace = true;
  arguments.push_back(projection);
  return arguments;
}
Arguments rnn() {
  Arguments arguments = recurrent(1);
  arguments.insert(arguments.begin() + 3, silent("nonlinearity", "'tanh'"));
  return arguments;
}
Arguments cell(std::size_t gates) {
  return {{"input_size", {}, {attribute("input_size"), dimension("weight_ih", 1)}},
          {"hidden_size", {}, {attribute("hidden_size"), dimension("weight_ih", 0, {}, gates)}},
          {"bias", "True", {attribute("bias"), presence("bias_ih")}}};
}
Arguments rnn_cell() {
  Arguments arguments = cell(1);
  arguments.push_back(silent("nonlinearity", "'tanh'"));
  return arguments;
}
Arguments embedding() {
  return {{"num_embeddings", {}, {attribute("num_embeddings"), dimension("weight", 0)}},
          {"embedding_dim", {}, {attribute("embedding_dim"), dimension("weight", 1)}},
          {"padding_idx", "None", {attribute("padding_idx"), operand_or_none("padding_idx", "-1")}},
          silent("max_norm", "None"),
          silent("norm_type", "2.0"),
          plain("scale_grad_by_freq", "False"),
          plain("sparse", "False")};
}
Arguments embedding_bag() {
  return {{"num_embeddings", {}, {attribute("num_embeddings"), dimension("weight", 0)}},
          {"embedding_dim", {}, {attribute("embedding_dim"), dimension("weight", 1)}},
          silent("max_norm", "None"),
          silent("norm_type", "2.0"),
          plain("scale_grad_by_freq", "False"),
          {"mode", "'mean'", {attribute("mode")}},
          plain("sparse", "False"),
          plain("include_last_offset", "False"),
          silent("padding_idx", "None")};
}
Arguments linear() {
  return {{"in_features", {}, {attribute("in_features"), dimension("weight", 1)}},
          {"out_features", {}, {attribute("out_features"), dimension("weight", 0)}},
          bias()};
}
Arguments bilinear() {
  return {{"in1_features", {}, {attribute("in1_features"), dimension("weight", 1)}},
          {"in2_features", {}, {attribute("in2_features"), dimension("weight", 2)}},
          {"out_features", {}, {attribute("out_features"), dimension("weight", 0)}},
          bias()};
}
Arguments response_norm(std::string_view k) {
  return {plain("size"), plain("alpha", "0.0001"), plain("beta", "0.75"), plain("k", k)};
}

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

} // namespace model_validator
