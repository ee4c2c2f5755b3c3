#include "connected_graph/undecomposed_type.h"

#include "connected_graph/op_type.h"

#include <model_validator/data/words.h>

namespace model_validator {

std::string undecomposed_type(std::string_view schema) {
  constexpr auto decomposed = word_array<
      "_softmax=softmax _safe_softmax=softmax _log_softmax=log_softmax "
      "native_layer_norm=layer_norm native_group_norm=group_norm native_batch_norm=batch_norm "
      "_native_batch_norm_legit=batch_norm _native_batch_norm_legit_functional=batch_norm "
      "_native_batch_norm_legit_no_training=batch_norm _batch_norm_with_update=batch_norm "
      "native_dropout=dropout _to_copy=to _unsafe_view=view _reshape_alias=reshape "
      "_adaptive_avg_pool2d=adaptive_avg_pool2d _adaptive_avg_pool3d=adaptive_avg_pool3d "
      "max_pool2d_with_indices=max_pool2d max_pool3d_with_indices=max_pool3d "
      "_scaled_dot_product_flash_attention_for_cpu=scaled_dot_product_attention "
      "_scaled_dot_product_efficient_attention=scaled_dot_product_attention "
      "_scaled_dot_product_flash_attention=scaled_dot_product_attention "
      "_scaled_dot_product_fused_attention_overrideable=scaled_dot_product_attention "
      "_weight_norm_interface=_weight_norm split_with_sizes=split">;
  std::string type = type_of_schema(schema);
  const std::string_view whole = paired_with(type, decomposed);
  return whole.empty() ? type : std::string(whole);
}

} // namespace model_validator
