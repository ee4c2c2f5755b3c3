#pragma once

#include <cstddef>
#include <string>

namespace model_validator::partition {

/// `piece_03_openvino.pt`: pieces sort in the order in which they run.
std::string piece_file_name(std::size_t number, std::size_t count, const std::string& target,
                            const std::string& ending);

} // namespace model_validator::partition
