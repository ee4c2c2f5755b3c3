#include "validators/suggestions/nn_functions.h"

#include "validators/suggestions/functional_modules.h"

#include <model_validator/data/words.h>

#include <array>
#include <map>
#include <utility>

namespace model_validator {
namespace {

/// Functions, and what they take.
constexpr auto functions = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d "
     "adaptive_max_pool2d adaptive_max_pool3d",
     "*output_size -return_indices"},
    {"alpha_dropout dropout dropout1d dropout2d dropout3d", "p -training inplace"},
    {"avg_pool1d", "*kernel_size stride padding ceil_mode count_include_pad"},
    {"avg_pool2d avg_pool3d",
     "*kernel_size stride padding ceil_mode count_include_pad divisor_override"},
    {"celu elu", "alpha inplace"},
    {"gelu", "approximate"},
    {"glu", "dim"},
    {"hardsigmoid hardswish mish relu relu6 selu silu", "inplace"},
    {"hardtanh", "min_val max_val inplace"},
    {"interpolate", "size scale_factor mode align_corners recompute_scale_factor -antialias"},
    {"leaky_relu", "negative_slope inplace"},
    {"log_softmax softmax softmin", "dim -_stacklevel -dtype"},
    {"logsigmoid sigmoid softsign tanh tanhshrink", ""},
    {"max_pool1d max_pool2d max_pool3d",
     "*kernel_size stride padding dilation ceil_mode return_indices"},
    {"pixel_shuffle", "*upscale_factor"},
    {"pixel_unshuffle", "*downscale_factor"},
    {"softplus", "beta threshold"},
});

} // namespace

const NnFunction* find_nn_function(std::string_view operation) {
  static const auto all = [] {
    std::map<std::string_view, NnFunction> by_name;
    for (const auto& [names, arguments] : functions)
      for (const std::string_view name : words_in(names))
        by_name.emplace(name, NnFunction{class_of(name), words_in(arguments)});
    return by_name;
  }();
  const auto found = all.find(operation);
  return found == all.end() ? nullptr : &found->second;
}

} // namespace model_validator
