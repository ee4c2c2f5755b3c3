#pragma once

#include "report/drawing.h"

#include <iosfwd>

namespace model_validator {

/// The graph as `model_validator-graph/1`, written op by op.
void write_graph_json(std::ostream& out, const ConnectedGraph& graph);

/// A drawing in the language of Graphviz.
void write_dot(std::ostream& out, const Drawing& drawing);

} // namespace model_validator
