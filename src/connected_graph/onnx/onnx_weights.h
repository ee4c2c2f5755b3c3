#pragma once

#include "connected_graph/stored_weights.h"

#include <filesystem>
#include <vector>

namespace model_validator {

/// Where an ONNX file's tensors are stored, inside it or externally.
/// @throws Error (`missing-weights`, `damaged-onnx`)
std::vector<StoredWeights> list_onnx_weights(const std::filesystem::path& file);

} // namespace model_validator
