#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator {

/// Notes on each finding about an op of an ONNX file that has no place in Python what the file
/// calls it: of the nodes that the op stands for, the first that has a name, or else what the op
/// makes.
void name_nodes(const ConnectedGraph& graph, std::vector<Diagnostic>& findings);

} // namespace model_validator
