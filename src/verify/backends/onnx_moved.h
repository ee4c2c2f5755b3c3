#pragma once

#include <cstdint>
#include <filesystem>

namespace model_validator::verify {

/// Makes a copy of an ONNX model whose floating-point weights and constants are moved up or down
/// by some roundings, at random; whole numbers, and what must be exact, such as exponents, stay.
/// @returns where `OnnxModels` has it; that of the model itself where weights lie in other files
/// @throws Error (`backend-refused`) for a file that cannot be parsed
std::filesystem::path write_moved_onnx(const std::filesystem::path& model,
                                       const std::filesystem::path& folder, std::uint64_t seed);

} // namespace model_validator::verify
