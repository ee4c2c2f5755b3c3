#pragma once

#include <model_validator/program.h>

#include <vector>

namespace model_validator {

/// Numbers consecutive calls of a module, in a file that does not number them itself.
///
/// A repeated call shows when the module's first operator recurs from the same line. A loop at the
/// start of the module looks the same, so all the operators must recur; among nested modules, the
/// outermost counts as called. Calls of torch.nn leaves are left to GraphAssembler.
void number_repeated_calls(const ConnectedGraph& graph, std::vector<ProgramNode>& nodes);

/// Where the module at `depth` of a node's stack was called: the innermost frame that belongs
/// neither to it nor to a module inside it.
FrameId call_frame(const ConnectedGraph& graph, const ProgramNode& node, std::size_t depth);

} // namespace model_validator
