#pragma once

#include <model_validator/connected_graph.h>

#include <vector>

namespace model_validator {

/// Whether an op is a query that looks at the values of a tensor of the model, not at its size,
/// dtype or device.
bool reads_values(const ConnectedGraph& graph, OpId op);

/// The query that brings a tensor's values into the condition of an `if` or a loop; `none` where
/// none does.
OpId reader_in_condition(const ConnectedGraph& graph, OpId control_flow);

/// Of each op, whether all that comes of its result is a decision of an `if` or a loop, as of the
/// `gt` in `if x.sum() > 0`.
std::vector<bool> ops_that_only_decide(const ConnectedGraph& graph);

} // namespace model_validator
