#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"
#include "connected_graph/torchscript/ir/names.h"

#include <vector>

namespace model_validator::torchscript {

/// Records in a node's result what it is for the enclosing loop: a number that differs in every
/// iteration, or a comparison that holds in at most one.
void note_counter(const Node& node, const std::vector<Abstract>& inputs, AbstractValue& result);

} // namespace model_validator::torchscript
