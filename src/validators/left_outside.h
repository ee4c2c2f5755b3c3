#pragma once

#include <model_validator/connected_graph.h>

#include <set>
#include <string>

namespace model_validator {

/// What a target leaves to the processor: `2 of 69 ops run elsewhere, with 0.4 % of the
/// multiply-accumulates; the rest makes 3 islands`. An island is what values connect without
/// leaving the target.
std::string left_outside(const ConnectedGraph& graph, const std::set<OpId>& refused);

} // namespace model_validator
