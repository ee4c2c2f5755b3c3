#pragma once

#include "connected_graph/torchscript/code/abstract_value.h"
#include "connected_graph/torchscript/ir/names.h"

#include <optional>
#include <vector>

namespace model_validator::torchscript {

/// What the node yields in every iteration of a loop alike, if it is computed from numbers that are
/// known in each.
std::optional<c10::IValue> evaluate_alike(const Node& node, const std::vector<Abstract>& inputs);

/// Records in a node's result what it is for the enclosing loop: a number that differs in every
/// iteration, a comparison that holds in at most one, or what it is in each.
void note_counter(const Node& node, const std::vector<Abstract>& inputs, AbstractValue& result);

} // namespace model_validator::torchscript
