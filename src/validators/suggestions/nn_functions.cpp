#include "validators/suggestions/nn_functions.h"

#include "validators/suggestions/functional_modules.h"

#include <map>
#include <utility>

namespace model_validator {
namespace {

using Function = std::pair<std::string_view, std::vector<std::string_view>>;

std::vector<Function> functions() {
  const std::vector<std::string_view> inplace = {"inplace"};
  const std::vector<std::string_view> dropout = {"p", "-training", "inplace"};
  const std::vector<std::string_view> softmax = {"dim", "-_stacklevel", "-dtype"};
  const std::vector<std::string_view> adaptive = {"*output_size", "-return_indices"};
  const std::vector<std::string_view> max_pool = {"*kernel_size", "stride",    "padding",
                                                  "dilation",     "ceil_mode", "return_indices"};
  const std::vector<std::string_view> avg_pool = {
      "*kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"};
  return {
      {"adaptive_avg_pool1d", adaptive},
      {"adaptive_avg_pool2d", adaptive},
      {"adaptive_avg_pool3d", adaptive},
      {"adaptive_max_pool1d", adaptive},
      {"adaptive_max_pool2d", adaptive},
      {"adaptive_max_pool3d", adaptive},
      {"alpha_dropout", dropout},
      {"avg_pool1d", {"*kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"}},
      {"avg_pool2d", avg_pool},
      {"avg_pool3d", avg_pool},
      {"celu", {"alpha", "inplace"}},
      {"dropout", dropout},
      {"dropout1d", dropout},
      {"dropout2d", dropout},
      {"dropout3d", dropout},
      {"elu", {"alpha", "inplace"}},
      {"gelu", {"approximate"}},
      {"glu", {"dim"}},
      {"hardsigmoid", inplace},
      {"hardswish", inplace},
      {"hardtanh", {"min_val", "max_val", "inplace"}},
      {"interpolate",
       {"size", "scale_factor", "mode", "align_corners", "recompute_scale_factor", "-antialias"}},
      {"leaky_relu", {"negative_slope", "inplace"}},
      {"log_softmax", softmax},
      {"logsigmoid", {}},
      {"max_pool1d", max_pool},
      {"max_pool2d", max_pool},
      {"max_pool3d", max_pool},
      {"mish", inplace},
      {"pixel_shuffle", {"*upscale_factor"}},
      {"pixel_unshuffle", {"*downscale_factor"}},
      {"relu", inplace},
      {"relu6", inplace},
      {"selu", inplace},
      {"sigmoid", {}},
      {"silu", inplace},
      {"softmax", softmax},
      {"softmin", softmax},
      {"softplus", {"beta", "threshold"}},
      {"softsign", {}},
      {"tanh", {}},
      {"tanhshrink", {}},
  };
}

} // namespace

const NnFunction* find_nn_function(std::string_view operation) {
  static const auto all = [] {
    std::map<std::string_view, NnFunction> by_name;
    for (auto& [name, arguments] : functions())
      by_name.emplace(name, NnFunction{class_of(name), std::move(arguments)});
    return by_name;
  }();
  const auto found = all.find(operation);
  return found == all.end() ? nullptr : &found->second;
}

} // namespace model_validator
