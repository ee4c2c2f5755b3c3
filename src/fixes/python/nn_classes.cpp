#include "fixes/python/nn_classes.h"

#include <algorithm>
#include <map>

namespace model_validator::fixes {
namespace {

using Classes = std::map<std::string_view, NnClass>;

Classes make_classes() {
  const std::vector<std::string_view> inplace = {"inplace"};
  const std::vector<std::string_view> dropout = {"p", "-training", "inplace"};
  const std::vector<std::string_view> softmax = {"dim", "-_stacklevel", "-dtype"};
  const std::vector<std::string_view> adaptive = {"*output_size", "-return_indices"};
  const std::vector<std::string_view> max_pool = {"*kernel_size", "stride",    "padding",
                                                  "dilation",     "ceil_mode", "return_indices"};
  const std::vector<std::string_view> avg_pool = {
      "*kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"};
  return {
      {"adaptive_avg_pool1d", {"AdaptiveAvgPool1d", adaptive}},
      {"adaptive_avg_pool2d", {"AdaptiveAvgPool2d", adaptive}},
      {"adaptive_avg_pool3d", {"AdaptiveAvgPool3d", adaptive}},
      {"adaptive_max_pool1d", {"AdaptiveMaxPool1d", adaptive}},
      {"adaptive_max_pool2d", {"AdaptiveMaxPool2d", adaptive}},
      {"adaptive_max_pool3d", {"AdaptiveMaxPool3d", adaptive}},
      {"alpha_dropout", {"AlphaDropout", dropout}},
      {"avg_pool1d",
       {"AvgPool1d", {"*kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"}}},
      {"avg_pool2d", {"AvgPool2d", avg_pool}},
      {"avg_pool3d", {"AvgPool3d", avg_pool}},
      {"celu", {"CELU", {"alpha", "inplace"}}},
      {"dropout", {"Dropout", dropout}},
      {"dropout1d", {"Dropout1d", dropout}},
      {"dropout2d", {"Dropout2d", dropout}},
      {"dropout3d", {"Dropout3d", dropout}},
      {"elu", {"ELU", {"alpha", "inplace"}}},
      {"gelu", {"GELU", {"approximate"}}},
      {"glu", {"GLU", {"dim"}}},
      {"hardsigmoid", {"Hardsigmoid", inplace}},
      {"hardswish", {"Hardswish", inplace}},
      {"hardtanh", {"Hardtanh", {"min_val", "max_val", "inplace"}}},
      {"interpolate",
       {"Upsample",
        {"size", "scale_factor", "mode", "align_corners", "recompute_scale_factor", "-antialias"}}},
      {"leaky_relu", {"LeakyReLU", {"negative_slope", "inplace"}}},
      {"log_softmax", {"LogSoftmax", softmax}},
      {"logsigmoid", {"LogSigmoid", {}}},
      {"max_pool1d", {"MaxPool1d", max_pool}},
      {"max_pool2d", {"MaxPool2d", max_pool}},
      {"max_pool3d", {"MaxPool3d", max_pool}},
      {"mish", {"Mish", inplace}},
      {"pixel_shuffle", {"PixelShuffle", {"*upscale_factor"}}},
      {"pixel_unshuffle", {"PixelUnshuffle", {"*downscale_factor"}}},
      {"relu", {"ReLU", inplace}},
      {"relu6", {"ReLU6", inplace}},
      {"selu", {"SELU", inplace}},
      {"sigmoid", {"Sigmoid", {}}},
      {"silu", {"SiLU", inplace}},
      {"softmax", {"Softmax", softmax}},
      {"softmin", {"Softmin", softmax}},
      {"softplus", {"Softplus", {"beta", "threshold"}}},
      {"softsign", {"Softsign", {}}},
      {"tanh", {"Tanh", {}}},
      {"tanhshrink", {"Tanhshrink", {}}},
  };
}

const Classes& all_classes() {
  static const Classes all = make_classes();
  return all;
}

} // namespace

std::optional<bool> nn_class_takes(std::string_view name, std::string_view argument) {
  for (const auto& [operation, type] : all_classes())
    if (type.name == name)
      return std::any_of(type.arguments.begin(), type.arguments.end(), [&](std::string_view each) {
        return each.substr(each.starts_with('*')) == argument;
      });
  return std::nullopt;
}

bool nn_class_is_plain(std::string_view name) {
  const auto& all = all_classes();
  return std::any_of(all.begin(), all.end(), [&](const auto& each) {
    const auto& arguments = each.second.arguments;
    return each.second.name == name && std::all_of(arguments.begin(), arguments.end(),
                                                   [](auto own) { return own == "inplace"; });
  });
}

const NnClass* find_nn_class(std::string_view operation) {
  const Classes& all = all_classes();
  const auto found = all.find(operation);
  return found == all.end() ? nullptr : &found->second;
}

} // namespace model_validator::fixes
