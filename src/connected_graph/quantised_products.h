#pragma once

#include <model_validator/graph_builder.h>

namespace model_validator {

/// Tells the products of PyTorch's quantised tensors, and of values that were rounded, how they are
/// quantised: by the arguments of the operator that yields them, or as what it passes on is.
void mark_quantised_products(GraphBuilder& graph);

} // namespace model_validator
