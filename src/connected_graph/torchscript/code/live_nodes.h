#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {

/// The nodes of a graph, nested blocks included and in no particular order, whose values reach an
/// output of the graph, or change in place a value that does.
std::vector<const Node*> live_nodes(const Graph& graph);

/// The same, with the nodes that raise, warn or print, and what those need.
std::vector<const Node*> live_nodes_and_effects(const Graph& graph);

} // namespace model_validator::torchscript
