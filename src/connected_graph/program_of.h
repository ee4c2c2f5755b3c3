#pragma once

#include <model_validator/program.h>

#include <map>
#include <memory>

namespace model_validator {

/// The program of any graph, never null. Where the front end keeps none it has a node for each op;
/// a parameter is the operand that the op says, and of a module one behind what flows in.
std::shared_ptr<const Program> program_of(const ConnectedGraph& graph);

/// The nodes that each op stands for, in order.
std::multimap<OpId, const ProgramNode*> nodes_by_op(const Program& program);

} // namespace model_validator
