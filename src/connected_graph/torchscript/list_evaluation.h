#pragma once

#include "connected_graph/torchscript/abstract_value.h"

#include <torch/csrc/jit/ir/ir.h>

#include <optional>

namespace model_validator::torchscript {

/// The result of a node that takes the sum, minimum or maximum of a list of integers, or `any` or
/// `all` of a list, if the whole list is known.
std::optional<c10::IValue> evaluate_list(const torch::jit::Node& node, const Items& items);

} // namespace model_validator::torchscript
