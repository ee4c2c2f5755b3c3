#pragma once

#include "connected_graph/flat_node.h"
#include "connected_graph/module_aliases.h"
#include "connected_graph/module_hierarchy.h"

#include <model_validator/graph_builder.h>

#include <vector>

// Whose the weights are: a file names each once, after one of the modules that hold it.

namespace model_validator::onnx_format {

/// The weights that each leaf uses. A weight that is named after another module says that this is
/// another path to the leaf, unless that module is in the file as something else.
/// @param hierarchy  of the graph; is given those other paths
std::vector<OwnedTensor> tensors_of_leaves(const ConnectedGraph& graph,
                                           const std::vector<FlatNode>& nodes,
                                           ModuleHierarchy& hierarchy);

/// Parameters belong to the module that their name begins with, where the file shows that module.
void attach_parameters(GraphBuilder& graph);

} // namespace model_validator::onnx_format
