#pragma once

#include <filesystem>
#include <onnx-ml.pb.h>
#include <optional>

namespace model_validator::verify {

/// An ONNX file with all its weights; nothing where some lie in other files.
/// @throws Error (`backend-refused`) for a file that cannot be parsed
std::optional<onnx::ModelProto> read_whole_onnx(const std::filesystem::path& file);

/// @throws Error (`cannot-write`)
void write_onnx_copy(const onnx::ModelProto& model, const std::filesystem::path& file);

} // namespace model_validator::verify
