#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

enum class IrStyle {
  plain,     ///< for people: names, modules, lines of Python
  bare,      ///< names, without modules and lines
  typed,     ///< the same with dtypes and shapes
  canonical, ///< only what belongs to the structure
};

/// The text of every op, in execution order.
std::vector<std::string> ir_lines(const ConnectedGraph& graph, IrStyle style);

/// Whether the types of an op's results belong to the structure: those of constants, and of inputs
/// in ONNX. Elsewhere the types of inputs may be those that a trace was given.
bool has_stated_type(const ConnectedGraph& graph, const Op& op);

/// `float32[1, 3, ?]`; `?` where nothing is known.
std::string to_text(const TensorType& type);

} // namespace model_validator
