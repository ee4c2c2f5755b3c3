#pragma once

#include "connected_graph/torchscript/abstract_value.h"

#include <torch/csrc/jit/ir/ir.h>

#include <optional>

namespace model_validator::torchscript {

/// What a node is told that asks for the sum, the smallest or the largest of a list of integers, or
/// whether any or all of a list are true, where all of the list is known.
std::optional<c10::IValue> evaluate_list(const torch::jit::Node& node, const Items& items);

} // namespace model_validator::torchscript
