#pragma once

#include <array>
#include <string_view>

// What `ConnectedGraph::file_operators` record of an ONNX file besides the attributes of its nodes:
// attributes under names that no node has. Each node is one operator; each call of a function of
// the file is replaced by the function's nodes.

namespace model_validator::onnx_format {

/// The schema of the first operator, which is no node: its attributes are the versions stamped in
/// the file, `ir_version` and one opset per domain.
inline constexpr std::string_view file_mark = "ModelProto";

inline constexpr std::string_view name_mark = "@name";
inline constexpr std::string_view opset_mark = "@opset"; ///< of the node's domain; 0: none imported
inline constexpr std::string_view op_mark = "@op";       ///< the op that it is part of; -1: none
/// How many more nodes there are like it, where nodes that are alike are recorded once.
inline constexpr std::string_view alike_mark = "@alike";
/// One string per operand: `float32`, the dtype, empty if unknown; followed by `/4`, the rank;
/// followed by `[1,3,,8]`, its sizes, where one is known; followed by `=float16` if the file
/// declares that dtype for a result that has another; followed by `!` if it is stored in the file,
/// by `~` if operators make it from sizes and constants, by `<` if it is an input of the model; `-`
/// for an operand that is left out.
inline constexpr std::string_view inputs_mark = "@inputs";
inline constexpr std::string_view outputs_mark = "@outputs";

inline constexpr std::string_view left_out = "-";
inline constexpr char stored_mark = '!';
inline constexpr char worked_out_mark = '~';
inline constexpr char entry_mark = '<';
/// Before the dtype that the file declares for a result of another.
inline constexpr std::string_view declared_mark = "=";
/// After dtype and rank: the rank is decided only when the model runs, whatever the file declares.
inline constexpr std::string_view unranked_mark = "?";

} // namespace model_validator::onnx_format
