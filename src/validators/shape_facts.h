#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// By op: whether an output of the model needs it. A runtime leaves out the others.
std::vector<bool> needed_for_outputs(const ConnectedGraph& graph);

/// By op: whether its data comes from an input of the model.
std::vector<bool> reached_from_inputs(const ConnectedGraph& graph);

/// What to call an op besides its own name: the node of the file.
std::string node_in_file(const std::string& name);

} // namespace model_validator
