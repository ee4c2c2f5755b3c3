#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "partition/torchscript/flat_module.h"
#include "partition/torchscript/node_origins.h"

#include <cstddef>

namespace model_validator::partition {

/// Code as it is written, without calls: for a model whose code is its program, as that of a traced
/// one. Of an `if` that the walk has decided, the arm that runs. What cannot be resolved stays, and
/// `why_not_flat` names it.
/// @param map  of the same module, by the walk
/// @throws Error (`no-forward`, `too-deep`, `too-large`)
FlatModule inline_calls(const torch::jit::Module& module, const torchscript::NodeMap& map,
                        std::size_t max_nodes, NodeOrigins& origins);

} // namespace model_validator::partition
