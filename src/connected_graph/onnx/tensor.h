#pragma once

#include "connected_graph/onnx/wire_filter.h"
#include "files/byte_span.h"
#include "files/input_file.h"

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <onnx-ml.pb.h>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// `float32` for ONNX's element type 1; empty for an unknown one.
std::string dtype_name(int element_type);

TensorType tensor_type(const ::onnx::TypeProto& type);
TensorType tensor_type(const ::onnx::TensorProto& tensor);

/// How many elements it has. @throws Error (`damaged-onnx`) for dimensions too large for any memory
std::uint64_t element_count(const ::onnx::TensorProto& tensor, const std::string& path);

/// How many bytes the elements take. @throws Error (`damaged-onnx`) for dimensions too large for
/// any memory
std::uint64_t byte_count(const ::onnx::TensorProto& tensor, const std::string& path);

/// The values of a small settings tensor: numbers that configure an operator, such as a shape.
/// Nothing for weights.
std::optional<AttributeValue> literal(const ::onnx::TensorProto& tensor, const FilteredModel& model,
                                      const InputFile& file);

/// The numbers of a tensor of at most so many elements; nothing for one that is larger, stored in
/// another file, or of text or complex numbers.
std::optional<std::vector<double>> numbers_of(const ::onnx::TensorProto& tensor,
                                              const FilteredModel& model, const InputFile& file,
                                              std::uint64_t most);

} // namespace model_validator::onnx_format
