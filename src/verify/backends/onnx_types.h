#pragma once

#include <model_validator/verify/tensor_view.h>

#include <optional>

namespace model_validator::verify {

/// ONNX's number for an element type, as files and ONNX Runtime have it.
/// @throws Error (`bad-inputs`) for a dtype that ONNX does not have
int onnx_type_of(DType dtype);
/// Nothing for types that are not numbers.
std::optional<DType> dtype_of_onnx(int type);

} // namespace model_validator::verify
