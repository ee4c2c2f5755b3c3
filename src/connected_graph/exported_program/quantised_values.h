#pragma once

#include "connected_graph/graph_assembler.h"

#include <functional>
#include <optional>
#include <vector>

namespace model_validator::exported_program {

/// The numbers of a stored tensor; nothing where it is large or not plain numbers.
using StoredNumbers = std::function<std::optional<std::vector<double>>(const Parameter&)>;

/// Tells the nodes and values of a program how they are quantised, by the scale and zero point
/// among the arguments of what yields them. Before the assembler finishes.
/// @param numbers  of scales and zero points
void mark_quantised_values(GraphAssembler& assembler, const ConnectedGraph& graph,
                           const StoredNumbers& numbers);

} // namespace model_validator::exported_program
