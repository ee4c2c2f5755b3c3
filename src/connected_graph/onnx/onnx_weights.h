#pragma once

#include "connected_graph/stored_weights.h"

#include <filesystem>
#include <vector>

namespace model_validator {

/// Where an ONNX file's tensors lie, inside it or beside it.
/// @throws Error (`missing-weights`, `damaged-onnx`)
std::vector<StoredWeights> list_onnx_weights(const std::filesystem::path& file);

} // namespace model_validator
