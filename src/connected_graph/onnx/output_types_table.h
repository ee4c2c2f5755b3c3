#pragma once

#include <string_view>

namespace model_validator::onnx_format {

/// The element types that ONNX's operators yield: a line of each rule, in the notation explained in
/// tools/rules/onnx_output_types.py, followed by `: ` and the operators that it holds for.
extern const std::string_view output_types_table;

} // namespace model_validator::onnx_format
