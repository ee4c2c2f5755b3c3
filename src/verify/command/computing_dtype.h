#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// For each output of a model, in order, the least precise floating dtype among the results that it
/// is computed from; empty where the graph does not say. Casts, and what only moves values, do not
/// count: they compute nothing.
std::vector<std::string> computing_dtypes(const ConnectedGraph& graph);

} // namespace model_validator::verify
