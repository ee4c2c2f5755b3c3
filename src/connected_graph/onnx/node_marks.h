#pragma once

#include <array>
#include <string_view>

// What `ConnectedGraph::file_operators` tell of an ONNX file beside the attributes of its nodes: as
// attributes under names that no node has. Each node is one operator; in the place of each call of
// a function of the file stand the function's nodes.

namespace model_validator::onnx_format {

/// The schema of the first of them, which is no node: its attributes are the versions that the file
/// is stamped with, `ir_version` and one opset a domain.
inline constexpr std::string_view file_mark = "ModelProto";

inline constexpr std::string_view name_mark = "@name";
inline constexpr std::string_view opset_mark = "@opset"; ///< of the node's domain; 0: none imported
inline constexpr std::string_view op_mark = "@op";       ///< the op that it is a part of; -1: none
/// One text an operand: `float32`, the dtype, empty where it is not known; `/4` behind it, the
/// rank;
/// `!` behind it for what stands in the file or is made of sizes and constants; `-` for an operand
/// that is left out.
inline constexpr std::string_view inputs_mark = "@inputs";
inline constexpr std::string_view outputs_mark = "@outputs";

inline constexpr std::string_view left_out = "-";

} // namespace model_validator::onnx_format
