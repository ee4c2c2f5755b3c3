#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator::cli {

/// What `check` would report of a graph, with the configuration that holds for its file.
/// @throws Error for a configuration that is not sound
std::vector<Diagnostic> findings_in(const ConnectedGraph& graph);

} // namespace model_validator::cli
