#pragma once

#include <model_validator/connected_graph.h>

#include <vector>

namespace model_validator {

/// By op: whether an output of the model needs it. A runtime leaves out the others.
std::vector<bool> needed_for_outputs(const ConnectedGraph& graph);

} // namespace model_validator
