#pragma once

#include <cstddef>
#include <string>

namespace model_validator::partition {

/// `subgraph_03_openvino.pt`: subgraphs sort in the order in which they run.
std::string subgraph_file_name(std::size_t number, std::size_t count, const std::string& target,
                               const std::string& ending);

} // namespace model_validator::partition
