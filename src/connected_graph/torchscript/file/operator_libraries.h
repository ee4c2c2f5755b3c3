#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace model_validator::torchscript {

/// Loads shared libraries that register operators, each once in the life of the process.
/// @throws Error (`bad-op-library`)
void load_operator_libraries(const std::vector<std::filesystem::path>& libraries);

/// Whether one of them brought an operator, as `torchvision::nms` or `aten::add.Tensor`, or any
/// operator of a namespace, as `torchvision`.
bool came_from_library(std::string_view name);

} // namespace model_validator::torchscript
