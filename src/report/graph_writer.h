#pragma once

#include <model_validator/connected_graph.h>

#include <iosfwd>

namespace model_validator {

/// The graph as `model_validator-graph/1`, written op by op.
void write_graph_json(std::ostream& out, const ConnectedGraph& graph);

/// The graph for Graphviz, with modules as nested clusters.
void write_graph_dot(std::ostream& out, const ConnectedGraph& graph);

} // namespace model_validator
