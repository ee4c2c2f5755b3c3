#pragma once

#include <onnx-ml.pb.h>
#include <string>

namespace model_validator::onnx_format {

/// What defines a value that is defined twice: `input `x` and node `relu_1` (Relu)`, of the first
/// graph or function where two do; empty where none of them does.
std::string makers_in_words(const ::onnx::ModelProto& model, const std::string& value);

} // namespace model_validator::onnx_format
