#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// Takes free sizes for numbers, in all that was worked out.
/// @param given  `batch=1`, by the names that the file gives, or `x.0` for axis 0 of input `x`
/// @throws Error (`bad-input-spec`) for a name that no free size has, and for what is no size
void give_sizes(ConnectedGraph& graph, const std::vector<std::string>& given);

} // namespace model_validator
