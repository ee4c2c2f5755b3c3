#pragma once

#include "verify/backends/onnx_model.h"

#include <cstdint>

namespace model_validator::verify {

/// Makes a copy of an ONNX model whose floating-point weights and constants are moved up or down
/// by some roundings, at random; whole numbers, and what must be exact, such as exponents, stay.
/// @returns the model itself where weights lie in other files
/// @throws Error (`backend-refused`) for a file that cannot be parsed
SharedOnnxModel moved_onnx(const SharedOnnxModel& model, const std::filesystem::path& folder,
                           std::uint64_t seed);

} // namespace model_validator::verify
