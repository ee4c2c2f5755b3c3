#include "introspection/weight_store.h"

#include "connected_graph/format_table.h"

namespace model_validator {

std::vector<StoredWeights> list_weights(const std::filesystem::path& file) {
  return format_of(file).list_weights(file);
}

std::vector<StoredWeights> list_named_weights(const std::filesystem::path& file) {
  return format_of(file).list_named_weights(file);
}

} // namespace model_validator
