#include "fixes/torch_parameters.h"

#include <map>

namespace model_validator::fixes {
namespace {

using Parameters = std::vector<TorchParameter>;

constexpr std::string_view tensor = "";
constexpr std::string_view whole = "int";
constexpr std::string_view number = "float";
constexpr std::string_view flag = "bool";
constexpr std::string_view sizes = "List[int]";
constexpr std::string_view word = "str";
constexpr std::string_view maybe_tensor = "Optional[torch.Tensor]";
constexpr std::string_view maybe_number = "Optional[float]";
constexpr std::string_view maybe_flag = "Optional[bool]";

const std::map<std::string_view, Parameters>& table() {
  static const Parameters reduction = {{"dim", sizes}, {"keepdim", flag}};
  static const Parameters along = {{"dim", whole}, {"keepdim", flag}};
  static const Parameters one_dim = {{"dim", whole}};
  static const std::map<std::string_view, Parameters> functions = {
      {"all", along},
      {"amax", reduction},
      {"amin", reduction},
      {"any", along},
      {"argmax", along},
      {"argmin", along},
      {"celu", {{"alpha", number}, {"inplace", flag}}},
      {"chunk", {{"chunks", whole}, {"dim", whole}}},
      {"clamp", {{"min", maybe_number}, {"max", maybe_number}}},
      {"cumsum", one_dim},
      {"diff", {{"n", whole}, {"dim", whole}}},
      {"dropout", {{"p", number}, {"training", flag}, {"inplace", flag}}},
      {"elu", {{"alpha", number}, {"inplace", flag}}},
      {"flip", {{"dims", sizes}}},
      {"gather", {{"dim", whole}, {"index", tensor}}},
      {"gelu", {{"approximate", word}}},
      {"glu", one_dim},
      {"grid_sample",
       {{"grid", tensor}, {"mode", word}, {"padding_mode", word}, {"align_corners", maybe_flag}}},
      {"group_norm",
       {{"num_groups", whole}, {"weight", maybe_tensor}, {"bias", maybe_tensor}, {"eps", number}}},
      {"hardtanh", {{"min_val", number}, {"max_val", number}, {"inplace", flag}}},
      {"interpolate",
       {{"size", "Optional[List[int]]"},
        {"scale_factor", "Optional[List[float]]"},
        {"mode", word},
        {"align_corners", maybe_flag}}},
      {"layer_norm",
       {{"normalized_shape", sizes},
        {"weight", maybe_tensor},
        {"bias", maybe_tensor},
        {"eps", number}}},
      {"leaky_relu", {{"negative_slope", number}, {"inplace", flag}}},
      {"log_softmax", one_dim},
      {"logsumexp", reduction},
      {"masked_fill", {{"mask", tensor}, {"value", number}}},
      {"max", along},
      {"mean", reduction},
      {"min", along},
      {"normalize", {{"p", number}, {"dim", whole}, {"eps", number}}},
      {"one_hot", {{"num_classes", whole}}},
      {"pad", {{"pad", sizes}, {"mode", word}, {"value", maybe_number}}},
      {"pixel_shuffle", {{"upscale_factor", whole}}},
      {"pixel_unshuffle", {{"downscale_factor", whole}}},
      {"prod", along},
      {"repeat", {{"repeats", sizes}}},
      {"repeat_interleave", {{"repeats", whole}, {"dim", "Optional[int]"}}},
      {"roll", {{"shifts", sizes}, {"dims", sizes}}},
      {"scaled_dot_product_attention",
       {{"key", tensor},
        {"value", tensor},
        {"attn_mask", maybe_tensor},
        {"dropout_p", number},
        {"is_causal", flag},
        {"scale", maybe_number}}},
      {"scatter_add", {{"dim", whole}, {"index", tensor}, {"src", tensor}}},
      {"softmax", one_dim},
      {"softplus", {{"beta", number}, {"threshold", number}}},
      {"sort", {{"dim", whole}, {"descending", flag}}},
      {"split", {{"split_size_or_sections", whole}, {"dim", whole}}},
      {"stack", {{"dim", whole}}},
      {"std", along},
      {"sum", reduction},
      {"threshold", {{"threshold", number}, {"value", number}, {"inplace", flag}}},
      {"topk", {{"k", whole}, {"dim", whole}, {"largest", flag}, {"sorted", flag}}},
      {"tril", {{"diagonal", whole}}},
      {"triu", {{"diagonal", whole}}},
      {"unbind", one_dim},
      {"unfold", {{"dimension", whole}, {"size", whole}, {"step", whole}}},
      {"var", along},
      {"where", {{"input", tensor}, {"other", tensor}}},
  };
  return functions;
}

} // namespace

const Parameters& torch_parameters(std::string_view operation) {
  static const Parameters unknown;
  const auto found = table().find(operation);
  return found == table().end() ? unknown : found->second;
}

} // namespace model_validator::fixes
