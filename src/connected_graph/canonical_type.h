#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// The one name of an operator, whatever format it is written in: what PyTorch calls it.
/// `aten::_convolution` with two strides gives `conv2d`, and so does `onnx::Conv`;
/// `onnx::Concat` gives `cat`. An operator that PyTorch has no name for keeps its own.
std::string canonical_type(std::string_view schema, const std::vector<Attribute>& attributes);

} // namespace model_validator
