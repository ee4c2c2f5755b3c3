#include "connected_graph/operators.h"

#include "connected_graph/canonical_type.h"

#include <model_validator/data/words.h>

#include <array>
#include <cctype>
#include <string>
#include <unordered_map>

namespace model_validator {
namespace {

struct OperatorRow {
  Does does;
  std::string_view names;
};

/// Operators and classes by their canonical names, each in one row at the most, by what becomes of
/// values. `tests/architecture/operators_test.py` holds all rows to the schemas of torch and to the
/// examples of ONNX.
constexpr auto value_rows = std::to_array<OperatorRow>({
    {Does::keeps, "alias clone contiguous cpu cuda data detach identity lift lift_fresh "
                  "optional_get_element pin_memory positive resolve_conj resolve_neg"},
    {Does::converts, "bfloat16 cast double float half to type type_as"},
    {Does::drops_out, "alpha_dropout dropout dropout1d dropout2d dropout3d feature_alpha_dropout "
                      "feature_dropout"},
    {Does::reshapes, "atleast_1d atleast_2d atleast_3d flatten ravel reshape reshape_as squeeze "
                     "unflatten unsqueeze view view_as"},
    {Does::transposes,
     "adjoint mH mT matrix_H moveaxis movedim numpy_T permute swapaxes swapdims t "
     "transpose"},
    {Does::shuffles, "channel_shuffle flip fliplr flipud native_channel_shuffle pixel_shuffle "
                     "pixel_unshuffle reverse_sequence roll rot90 sort"},
    {Does::repeats, "broadcast_to expand expand_as repeat repeat_interleave tile"},
    {Does::cuts, "chunk dsplit getitem hsplit narrow select slice split split_with_sizes "
                 "tensor_split unbind vsplit"},
    {Does::picks,
     "adaptive_max_pool adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d amax amin "
     "as_strided diagonal gather index index_select kthvalue masked_select max_pool max_pool1d "
     "max_pool2d max_pool3d median sequence_at take take_along_dim topk unfold unique"},
    {Does::joins, "cat column_stack concat concatenate dstack hstack stack vstack where"},
    {Does::inserts, "copy diagonal_scatter fill index_copy index_fill index_put masked_fill "
                    "masked_scatter max_unpool max_unpool2d max_unpool3d scatter select_scatter "
                    "slice_scatter tensor_scatter tril triu"},
    {Does::pads,
     "center_crop_pad constant_pad_nd pad reflection_pad1d reflection_pad2d "
     "reflection_pad3d replication_pad1d replication_pad2d replication_pad3d zero_pad1d "
     "zero_pad2d zero_pad3d"},
    {Does::bounds, "clamp clamp_max clamp_min clip hardtanh max maximum min minimum relu relu6 "
                   "threshold thresholded_relu"},
    {Does::averages, "adaptive_avg_pool adaptive_avg_pool1d adaptive_avg_pool2d "
                     "adaptive_avg_pool3d avg_pool avg_pool1d avg_pool2d avg_pool3d mean"},
    {Does::interpolates, "interpolate upsample upsample_bicubic2d upsample_bilinear2d "
                         "upsample_linear1d upsample_nearest1d upsample_nearest2d "
                         "upsample_nearest3d upsample_trilinear3d"},
    {Does::adds, "add neg negative rsub sub subtract sum"},
    {Does::compares, "argmax argmin eq ge gt isfinite isinf isnan le logical_and logical_not "
                     "logical_or logical_xor lt ne nonzero"},
    {Does::creates, "arange constant eye full full_like new_full new_ones new_zeros ones ones_like "
                    "scalar_tensor zeros zeros_like"},
    {Does::draws, "bernoulli binomial cauchy exponential geometric log_normal multinomial normal "
                  "poisson rand rand_like randint randint_like randn randn_like random randperm "
                  "uniform"},
    {Does::draws_trained, "gru lstm miopen_rnn rnn_relu rnn_tanh rrelu "
                          "rrelu_with_noise rrelu_with_noise_functional"},
});

/// What else they do.
constexpr auto further_rows = std::to_array<OperatorRow>({
    {Does::yields_truth,
     "__and__ __or__ bitwise_and bitwise_not bitwise_or eq ge gt isfinite isin isinf "
     "isnan le logical_and logical_not logical_or logical_xor lt ne"},
    {Does::reduces, "all any argmax argmin max mean median min norm prod std sum var"},
    {Does::moves_axes,
     "as_strided bmm diagonal einsum expand flatten gather matmul mm movedim numpy_T permute "
     "reshape select squeeze stack swapaxes t transpose unbind unflatten unsqueeze view"},
    {Does::finds, "_pack_padded_sequence _unique _unique2 argwhere bincount masked_select nms "
                  "nonzero nonzero_numpy unique unique_consecutive unique_dim"},
    {Does::ranks, "argsort kthvalue msort nms sort topk"},
    {Does::takes_sizes,
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d arange "
     "as_strided constant_pad_nd empty expand eye full interpolate linspace narrow new_empty "
     "new_full new_ones new_zeros ones pad rand randint randn randperm repeat reshape resize slice "
     "split split_with_sizes tile topk tril_indices unflatten upsample_bicubic2d "
     "upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d "
     "upsample_trilinear3d view zeros"},
    {Does::broadcasts,
     "__and__ __or__ add addcmul atan2 bitwise_and bitwise_or div eq fmod ge gt le lerp "
     "logical_and logical_or logical_xor lt masked_fill maximum minimum mul ne pow remainder rsub "
     "sub where"},
    {Does::asks_no_size, "__contains__ __is__ __isnot__ device dim dtype is_complex "
                         "is_floating_point layout requires_grad"},
    {Does::reads_values, "Bool Float Int ScalarImplicit _local_scalar_dense allclose equal "
                         "is_nonzero item tolist"},
    {Does::returns_memory,
     "adjoint alias as_strided broadcast_to chunk detach diagonal dsplit expand expand_as hsplit "
     "identity imag lift_fresh mH mT matrix_H moveaxis movedim narrow numpy_T permute positive "
     "real resolve_conj resolve_neg select slice split split_with_sizes squeeze swapaxes swapdims "
     "t tensor_split transpose unbind unflatten unfold unsqueeze view view_as view_as_complex "
     "view_as_real vsplit"},
    {Does::returns_memory | Does::may_copy,
     "alpha_dropout contiguous dropout dropout1d dropout2d dropout3d feature_alpha_dropout "
     "feature_dropout flatten ravel reshape reshape_as to type_as"},
});

const Does* row_of(std::string_view name) {
  static const auto table = [] {
    std::unordered_map<std::string_view, Does> read;
    const auto add = [&read](const auto& rows) {
      for (const OperatorRow& row : rows)
        for (const std::string_view each : words_in(row.names))
          read[each] = read.contains(each) ? read[each] | row.does : row.does;
    };
    add(value_rows);
    add(further_rows);
    return read;
  }();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

/// As ONNX and the parts of torch that decompose operators spell it.
std::string canonical_name(std::string_view name) {
  constexpr std::string_view copying = "_copy"; // a function for what was a view
  const bool of_onnx = std::isupper(static_cast<unsigned char>(name.front())) != 0;
  std::string type = canonical_type((of_onnx ? "onnx::" : "aten::") + std::string(name), {});
  if (type.size() > copying.size() && type.ends_with(copying))
    type.resize(type.size() - copying.size());
  return type;
}

} // namespace

bool does(std::string_view name, Does any) {
  if (name.empty()) return false;
  const Does* found = row_of(name);
  if (found == nullptr) found = row_of(canonical_name(name));
  return found != nullptr &&
         (static_cast<std::uint32_t>(*found) & static_cast<std::uint32_t>(any)) != 0;
}

} // namespace model_validator
