#pragma once

#include "connected_graph/shapes/inference.h"

namespace model_validator::shapes {

/// Whether the ranks of a node's operands, and the numbers of its attributes, are such as its
/// operator has. Says what is not.
bool is_within_limits(Inference& at);

} // namespace model_validator::shapes
