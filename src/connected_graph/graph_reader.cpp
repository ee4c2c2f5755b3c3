#include "connected_graph/format_table.h"

namespace model_validator {

ConnectedGraph read_graph(const std::filesystem::path& file, const ReadOptions& options) {
  return format_of(file).read(file, options);
}

} // namespace model_validator
