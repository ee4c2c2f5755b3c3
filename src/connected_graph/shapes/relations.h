#pragma once

#include "connected_graph/shapes/inference.h"

namespace model_validator::shapes {

/// Says what is wrong with a node whose attributes, and sizes of operands, contradict each other
/// in a way that its operator's relations name.
void check_relations(Inference& at);

} // namespace model_validator::shapes
