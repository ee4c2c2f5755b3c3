#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Each node of an ONNX file in a line: `y = Conv[group=1](x, w)`. For a process that can only
/// compute. @throws Error
std::vector<std::string> node_lines(const std::filesystem::path& file);

} // namespace model_validator::verify
