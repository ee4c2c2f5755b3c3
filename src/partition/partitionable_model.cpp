#include "connected_graph/format_table.h"

#include <model_validator/partition/divisible.h>

namespace model_validator::partition {

std::unique_ptr<Divisible> open_divisible(const std::filesystem::path& file,
                                          const OpenOptions& options) {
  return format_of(file).divide(file, options);
}

} // namespace model_validator::partition
