#pragma once

#include "report/drawing.h"

#include <model_validator/trace.h>

#include <iosfwd>

namespace model_validator {

/// The graph as `model_validator-graph/1`, written op by op.
/// @param trace  what a run with inputs saw; null where there was none
void write_graph_json(std::ostream& out, const ConnectedGraph& graph, const Trace* trace = nullptr);

/// A drawing in the language of Graphviz.
void write_dot(std::ostream& out, const Drawing& drawing);

} // namespace model_validator
