#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/verify/inputs.h>

#include <vector>

namespace model_validator::verify {

/// Says of every input what it is taken for: by what the graph does with it, then by its name.
/// Sizes that the graph demands of a free dimension are filled in.
void find_meanings(const ConnectedGraph& graph, std::vector<InputNeed>& needs);

/// By their names alone.
void find_meanings(std::vector<InputNeed>& needs);

} // namespace model_validator::verify
