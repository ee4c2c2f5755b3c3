#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "partition/torchscript/flat_module.h"

#include <cstddef>

namespace model_validator::partition {

/// The code of a traced model without its calls.
/// @param map  of the same module, by the walk
/// @throws Error (`cannot-flatten` for code that decides or changes something while it runs, as
/// scripted code does; `no-forward`, `too-deep`, `too-large`)
FlatModule inline_calls(const torch::jit::Module& module, const torchscript::NodeMap& map,
                        std::size_t max_nodes);

} // namespace model_validator::partition
