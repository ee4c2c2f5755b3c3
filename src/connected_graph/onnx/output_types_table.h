#pragma once

#include <array>
#include <string_view>

namespace model_validator::onnx_format {

/// The element types that an ONNX operator yields, in the notation explained in
/// tools/rules/onnx_output_types.py.
struct OutputTypes {
  std::string_view op_type;
  std::string_view rule;
};

/// Sorted by name.
extern const std::array<OutputTypes, 191> output_types_table;

} // namespace model_validator::onnx_format
