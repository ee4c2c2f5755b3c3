#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// The canonical name of an operator in any format: PyTorch's. `aten::_convolution` with two
/// strides gives `conv2d`, and so does `onnx::Conv`; `onnx::Concat` gives `cat`. An operator
/// without a PyTorch name keeps its own.
std::string canonical_type(std::string_view schema, const std::vector<Attribute>& attributes);

} // namespace model_validator
