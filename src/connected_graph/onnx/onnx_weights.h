#pragma once

#include "connected_graph/stored_weights.h"

#include <filesystem>
#include <vector>

namespace model_validator {
namespace onnx_format {
struct OnnxFile;
}

/// Where an ONNX file's tensors are stored, inside it or externally.
/// @throws Error (`missing-weights`, `damaged-onnx`)
std::vector<StoredWeights> list_onnx_weights(const std::filesystem::path& file);
/// Those that are kept in files of their own. @throws the same
std::vector<StoredWeights> weights_kept_apart(const onnx_format::OnnxFile& source);

} // namespace model_validator
