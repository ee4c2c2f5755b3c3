#include "connected_graph/operator_memory.h"

#include <model_validator/data/words.h>

#include <algorithm>

namespace model_validator {
namespace {

/// Ops that return, always or sometimes, the memory that they were given.
constexpr auto may_return = word_array<
    "alias alpha_dropout as_strided broadcast_to chunk contiguous detach diagonal dropout "
    "dropout1d dropout2d dropout3d expand expand_as feature_alpha_dropout feature_dropout "
    "flatten hsplit identity imag lift_fresh moveaxis movedim narrow numpy_t permute "
    "positive ravel real reshape reshape_as resolve_conj resolve_neg select slice split "
    "split_with_sizes squeeze swapaxes swapdims t tensor_split to transpose type_as unbind "
    "unflatten unfold unsqueeze view view_as vsplit">;
static_assert(std::ranges::is_sorted(may_return));

/// Of these, those that copy where they must: for another layout or dtype, or while training.
constexpr auto may_copy = word_array<
    "alpha_dropout contiguous dropout dropout1d dropout2d dropout3d feature_alpha_dropout "
    "feature_dropout flatten ravel reshape reshape_as to type_as">;
static_assert(std::ranges::is_sorted(may_copy));

} // namespace

bool writes_in_place(std::string_view schema) {
  const std::string_view base = schema.substr(0, schema.find('.'));
  return base.ends_with('_') && !base.ends_with("__");
}

bool may_return_operand(std::string_view type) {
  return std::ranges::binary_search(may_return, type);
}

bool returns_view(std::string_view type) {
  return may_return_operand(type) && !std::ranges::binary_search(may_copy, type);
}

} // namespace model_validator
