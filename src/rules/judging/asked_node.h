#pragma once

#include <model_validator/program.h>

#include <optional>
#include <string>

namespace model_validator::rules {

/// All that a runtime's answer about a node by itself may depend on, in words: the operator, its
/// opset and attributes, of each operand the dtype, the sizes, whether it is constant, and whole
/// numbers that are, and the same of the nodes in its bodies. Nothing where the file's reader does
/// not show all of that.
std::optional<std::string> asked_as(const Program& program, const ProgramNode& node);

/// The same of all nodes and of how they depend on each other, as a digest: models with the same
/// one differ in weights alone.
std::optional<std::string> asked_as_a_whole(const Program& program);

/// The node whose answer is that about a node in its bodies: the outermost one around it, or
/// itself.
const ProgramNode& asked_with(const Program& program, const ProgramNode& node);

/// Whether the file leaves sizes of what the node is given open.
bool has_free_sizes(const Program& program, const ProgramNode& node);

} // namespace model_validator::rules
