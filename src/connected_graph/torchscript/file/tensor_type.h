#pragma once

#include <model_validator/connected_graph.h>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>

namespace model_validator::torchscript {

/// `float32`, `int64`, … as Python's torch names them.
std::string dtype_name(c10::ScalarType type);
/// Shape and dtype; the tensor's data is not touched.
TensorType type_of(const at::Tensor& tensor);
/// The size of its data in any layout.
std::uint64_t bytes_of(const at::Tensor& tensor);
/// The number that a tensor without dimensions holds, as a trace keeps Python's numbers; nullopt
/// for any other tensor.
std::optional<AttributeValue> scalar_value(const at::Tensor& tensor);

} // namespace model_validator::torchscript
