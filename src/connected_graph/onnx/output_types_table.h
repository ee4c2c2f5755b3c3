#pragma once

#include <array>
#include <string_view>

namespace model_validator::onnx_format {

/// The element types of what an operator of ONNX yields, in the words that
/// tools/rules/onnx_output_types.py explains.
struct OutputTypes {
  std::string_view op_type;
  std::string_view rule;
};

/// Sorted by name.
extern const std::array<OutputTypes, 194> output_types_table;

} // namespace model_validator::onnx_format
