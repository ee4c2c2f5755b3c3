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
/// The same of a file that is read already.
std::vector<StoredWeights> list_onnx_weights(const onnx_format::OnnxFile& source);

} // namespace model_validator
