#include "validators/suggestions/torch_signatures.h"

namespace model_validator::torch_signatures {

using namespace torch_arguments;

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

} // namespace model_validator::torch_signatures
