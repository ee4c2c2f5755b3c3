#include "connected_graph/query_ops.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

namespace model_validator {

bool is_query_type(std::string_view type) {
  constexpr auto types = word_array<
      "size stride dim numel item is_nonzero storage_offset _local_scalar_dense sym_size "
      "sym_numel sym_stride sym_storage_offset sym_constrain_range "
      "sym_constrain_range_for_size sym_is_contiguous get_device">;
  return type.starts_with("_assert") || contains(types, type);
}

} // namespace model_validator
