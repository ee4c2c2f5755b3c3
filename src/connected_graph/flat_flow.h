#pragma once

#include "connected_graph/graph_assembler.h"

#include <model_validator/node_flow.h>

#include <memory>

namespace model_validator {

/// Tells the values of a flat list of PyTorch's operators how they are quantised, by the scale and
/// zero point among the arguments of what yields them. Before the assembler finishes.
void mark_quantised_values(GraphAssembler& assembler);

/// The nodes of such a list with what flows between them; null if none is quantised and the flow is
/// not wanted anyway. After the assembler has finished.
std::shared_ptr<const NodeFlow> flow_of_nodes(const GraphAssembler& assembler,
                                              const ConnectedGraph& graph, bool wanted);

} // namespace model_validator
