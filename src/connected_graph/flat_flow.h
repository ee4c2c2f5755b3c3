#pragma once

#include "connected_graph/graph_assembler.h"

#include <model_validator/node_flow.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace model_validator {

/// The numbers of a stored tensor; nothing where it is large or not plain numbers.
using StoredNumbers = std::function<std::optional<std::vector<double>>(const Parameter&)>;

/// Tells the values of a flat list of PyTorch's operators how they are quantised, by the scale and
/// zero point among the arguments of what yields them. Before the assembler finishes.
void mark_quantised_values(GraphAssembler& assembler);

/// The nodes of such a list with what flows between them; null if none is quantised and the flow is
/// not wanted anyway. After the assembler has finished.
/// @param numbers  of scales and zero points
std::shared_ptr<const NodeFlow> flow_of_nodes(const GraphAssembler& assembler,
                                              const ConnectedGraph& graph, bool wanted,
                                              const StoredNumbers& numbers);

} // namespace model_validator
