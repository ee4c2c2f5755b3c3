#include "connected_graph/format_table.h"

#include <model_validator/partition/partitionable_model.h>

namespace model_validator::partition {

std::unique_ptr<PartitionableModel> open_partitionable(const std::filesystem::path& file,
                                                       const OpenOptions& options) {
  return format_of(file).divide(file, options);
}

} // namespace model_validator::partition
