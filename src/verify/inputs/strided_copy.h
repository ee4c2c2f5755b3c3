#pragma once

#include <model_validator/verify/tensor_view.h>

#include <string>

namespace model_validator::verify {

/// Appends the elements in row-major order, without gaps.
void append_row_major(std::string& bytes, const TensorView& tensor);

/// The same tensor, dense and row-major; itself where it already is.
Tensor row_major(const Tensor& tensor);

/// Whether the elements lie in row-major order without gaps.
bool is_row_major(const TensorView& tensor);

} // namespace model_validator::verify
