#pragma once

#include <model_validator/verify/tensor_view.h>

#include <string>
#include <string_view>

namespace model_validator::verify {

/// NumPy's own headers take some hundred bytes; longer ones are refused.
constexpr std::size_t max_header_length = 64 * 1024;
/// How many bytes of a `.npy` file must be read for its header.
constexpr std::size_t npy_start = max_header_length + 12;

/// How many bytes the file of an array takes by its header.
/// @param start  its first `npy_start` bytes, or all of it
/// @throws Error (`bad-npy`)
std::uint64_t npy_size(std::string_view start, const std::string& origin);

/// Reads an array in NumPy's `.npy` format. The bytes are kept, not copied.
/// @param origin  the file, for messages
/// @throws Error (`bad-npy`)
Tensor read_npy(std::shared_ptr<const std::string> bytes, const std::string& origin);

/// Writes one. NumPy has no bfloat16 or float8: their bits are written as unsigned integers.
std::string write_npy(const TensorView& tensor);

/// The dtype that a `.npy` file has for an array of this dtype.
DType stored_as(DType dtype);

} // namespace model_validator::verify
