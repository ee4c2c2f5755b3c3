#pragma once

#include "connected_graph/flat_node.h"

#include <vector>

namespace model_validator {

/// Numbers the calls of a module that directly follow each other, in a file that does not number
/// them itself.
///
/// That a module was called again shows in the operator with which it began, when that comes
/// again from the same line. This is also what a loop at the beginning of the module looks like; so
/// all the operators must come again, and of nested modules it is the outermost that was called.
/// Calls of torch.nn leaves are left to GraphAssembler.
void number_repeated_calls(const ConnectedGraph& graph, std::vector<FlatNode>& nodes);

/// Where the module at `depth` of a node's stack was called: the innermost frame that is neither
/// its own nor that of a module within.
FrameId call_frame(const ConnectedGraph& graph, const FlatNode& node, std::size_t depth);

} // namespace model_validator
