#pragma once

#include "rules/constraint.h"

#include <model_validator/connected_graph.h>

namespace model_validator::rules {

/// What is known of the tensors that an op takes. A file without types of its own still tells the
/// dtype of parameters and constants, of sizes, and of what was converted, also behind ops that
/// only hand a tensor on.
TensorTypes operand_types(const ConnectedGraph& graph, OpId op);

} // namespace model_validator::rules
