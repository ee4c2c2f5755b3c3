#pragma once

#include <filesystem>
#include <vector>

namespace model_validator::torchscript {

/// Loads shared libraries that register operators, each once in the life of the process.
/// @throws Error (`bad-op-library`)
void load_operator_libraries(const std::vector<std::filesystem::path>& libraries);

} // namespace model_validator::torchscript
