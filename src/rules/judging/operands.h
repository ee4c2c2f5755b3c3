#pragma once

#include "rules/judging/constraint.h"

#include <model_validator/connected_graph.h>

namespace model_validator::rules {

/// What is known of the tensors that an op takes and yields. A file without types of its own still
/// gives the dtype of parameters and constants, of sizes, and of converted tensors, also after ops
/// that only pass a tensor on. Lives no longer than the graph.
Operands operands_of(const ConnectedGraph& graph, OpId op);

/// Of the only operator that a leaf module runs: of the tensors alone, as it takes its weights
/// without a product.
Operands operands_of_module(const ConnectedGraph& graph, OpId op);

} // namespace model_validator::rules
