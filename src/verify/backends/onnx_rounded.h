#pragma once

#include <filesystem>

namespace model_validator::verify {

/// Writes a copy of an ONNX model whose layers have weights rounded to eight bits, symmetric about
/// zero, with one scale or one for each output channel.
/// @returns its path @throws Error (`backend-refused`) for a file that cannot be parsed, or that
/// keeps its weights in other files
std::filesystem::path write_rounded_onnx(const std::filesystem::path& model,
                                         const std::filesystem::path& folder, bool per_channel);

} // namespace model_validator::verify
