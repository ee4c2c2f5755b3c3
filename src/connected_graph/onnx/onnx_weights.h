#pragma once

#include "connected_graph/stored_weights.h"

#include <model_validator/error.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace model_validator {
namespace onnx_format {
struct OnnxFile;
}

/// Where an ONNX file's tensors are stored, inside it or externally.
/// @throws Error (`missing-weights`, `damaged-onnx`)
std::vector<StoredWeights> list_onnx_weights(const std::filesystem::path& file);
/// What keeps them from being listed: files that they are kept in are not there, or are cut short.
std::optional<Error> fault_of_weights(const onnx_format::OnnxFile& source);

} // namespace model_validator
