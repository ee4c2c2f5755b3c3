#pragma once

#include <model_validator/program.h>

namespace model_validator::rules {

/// An operator as the only node of a program.
struct LoneNode {
  Program program;
  NodeView view() const { return {program, program.nodes.front()}; }
};

/// Of its tensors nothing is known but dtypes.
LoneNode lone_node(const Operator& op);

/// With what is known of the tensors that an op takes and yields. A file without types of its own
/// still gives the dtype of parameters and constants, of sizes, and of converted tensors, also
/// after ops that only pass a tensor on.
/// @param op  as a target sees the op, or the only operator that it consists of
/// @param origins  says whether operands are inputs of the model or depend on them, which walks the
/// graph; else nobody is told that they do
LoneNode lone_node(const Operator& op, const ConnectedGraph& graph, OpId id, bool origins);

} // namespace model_validator::rules
