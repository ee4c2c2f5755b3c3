#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>
#include <model_validator/trace.h>

#include <iosfwd>
#include <vector>

namespace model_validator {

/// The graph as `model_validator-graph/1`, written op by op.
/// @param trace  what a run with inputs saw; null where there was none
void write_graph_json(std::ostream& out, const ConnectedGraph& graph, const Trace* trace = nullptr);

/// The graph in the language of Graphviz, an op a node.
/// @param findings  those that are not suppressed colour the ops that they are about
void write_dot(std::ostream& out, const ConnectedGraph& graph,
               const std::vector<Diagnostic>& findings);

} // namespace model_validator
