#pragma once

#include <model_validator/verify/tensor_view.h>

#include <string>

namespace model_validator::verify {

/// Reads an array in NumPy's `.npy` format. The bytes are kept, not copied.
/// @param origin  the file, for messages
/// @throws Error (`bad-npy`)
Tensor read_npy(std::shared_ptr<const std::string> bytes, const std::string& origin);

/// Writes one. NumPy has no bfloat16 or float8: their bits are written as unsigned integers.
std::string write_npy(const TensorView& tensor);

/// The dtype an array of this one has in a `.npy` file.
DType stored_as(DType dtype);

} // namespace model_validator::verify
