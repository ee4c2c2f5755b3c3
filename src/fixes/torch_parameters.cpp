#include "fixes/torch_parameters.h"

#include <model_validator/data/words.h>

#include <array>
#include <map>
#include <utility>

namespace model_validator::fixes {
namespace {

/// Functions, and what they take: each with its type, unless it is a tensor.
constexpr auto functions = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"all any argmax argmin max min prod std var", "dim:int keepdim:bool"},
    {"amax amin logsumexp mean sum", "dim:List[int] keepdim:bool"},
    {"batch_norm", "running_mean:Optional[torch.Tensor] running_var:Optional[torch.Tensor] "
                   "weight:Optional[torch.Tensor] bias:Optional[torch.Tensor] training:bool "
                   "momentum:float eps:float"},
    {"celu elu", "alpha:float inplace:bool"},
    {"chunk", "chunks:int dim:int"},
    {"clamp", "min:Optional[float] max:Optional[float]"},
    {"conv1d conv2d conv3d",
     "weight bias:Optional[torch.Tensor] stride:List[int] padding:List[int] "
     "dilation:List[int] groups:int"},
    {"conv_transpose1d conv_transpose2d conv_transpose3d",
     "weight bias:Optional[torch.Tensor] stride:List[int] padding:List[int] "
     "output_padding:List[int] groups:int dilation:List[int]"},
    {"cumsum glu log_softmax softmax stack unbind", "dim:int"},
    {"diff", "n:int dim:int"},
    {"dropout", "p:float training:bool inplace:bool"},
    {"embedding", "weight padding_idx:Optional[int] max_norm:Optional[float] norm_type:float "
                  "scale_grad_by_freq:bool sparse:bool"},
    {"flip", "dims:List[int]"},
    {"gather", "dim:int index"},
    {"gelu", "approximate:str"},
    {"grid_sample", "grid mode:str padding_mode:str align_corners:Optional[bool]"},
    {"group_norm",
     "num_groups:int weight:Optional[torch.Tensor] bias:Optional[torch.Tensor] eps:float"},
    {"hardtanh", "min_val:float max_val:float inplace:bool"},
    {"interpolate", "size:Optional[List[int]] scale_factor:Optional[List[float]] mode:str "
                    "align_corners:Optional[bool]"},
    {"layer_norm", "normalized_shape:List[int] weight:Optional[torch.Tensor] "
                   "bias:Optional[torch.Tensor] eps:float"},
    {"leaky_relu", "negative_slope:float inplace:bool"},
    {"linear", "weight bias:Optional[torch.Tensor]"},
    {"masked_fill", "mask value:float"},
    {"normalize", "p:float dim:int eps:float"},
    {"one_hot", "num_classes:int"},
    {"pad", "pad:List[int] mode:str value:Optional[float]"},
    {"pixel_shuffle", "upscale_factor:int"},
    {"pixel_unshuffle", "downscale_factor:int"},
    {"prelu", "weight"},
    {"repeat", "repeats:List[int]"},
    {"repeat_interleave", "repeats:int dim:Optional[int]"},
    {"roll", "shifts:List[int] dims:List[int]"},
    {"scaled_dot_product_attention", "key value attn_mask:Optional[torch.Tensor] dropout_p:float "
                                     "is_causal:bool scale:Optional[float]"},
    {"scatter_add", "dim:int index src"},
    {"softplus", "beta:float threshold:float"},
    {"sort", "dim:int descending:bool"},
    {"split", "split_size_or_sections:int dim:int"},
    {"threshold", "threshold:float value:float inplace:bool"},
    {"topk", "k:int dim:int largest:bool sorted:bool"},
    {"tril triu", "diagonal:int"},
    {"unfold", "dimension:int size:int step:int"},
    {"where", "input other"},
});

using Parameters = std::vector<TorchParameter>;

Parameters parameters_in(std::string_view text) {
  Parameters parameters;
  for (std::string_view word : words_in(text)) {
    const std::string_view name = take_before(':', word);
    parameters.push_back({name, word});
  }
  return parameters;
}

} // namespace

const Parameters& torch_parameters(std::string_view operation) {
  static const auto all = [] {
    std::map<std::string_view, Parameters> by_name;
    for (const auto& [names, parameters] : functions)
      for (const std::string_view name : words_in(names)) by_name[name] = parameters_in(parameters);
    return by_name;
  }();
  static const Parameters unknown;
  const auto found = all.find(operation);
  return found == all.end() ? unknown : found->second;
}

} // namespace model_validator::fixes
