#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "partition/torchscript/flat_module.h"
#include "partition/torchscript/node_origins.h"

#include <cstddef>

namespace model_validator::partition {

/// The code of a model without its calls: the program of a traced one, and of any other that
/// decides and changes nothing while it runs. What only raises is left out.
/// @param map  of the same module, by the walk
/// @throws Error (`cannot-flatten`, `no-forward`, `too-deep`, `too-large`)
FlatModule inline_calls(const torch::jit::Module& module, const torchscript::NodeMap& map,
                        std::size_t max_nodes, NodeOrigins& origins);

} // namespace model_validator::partition
