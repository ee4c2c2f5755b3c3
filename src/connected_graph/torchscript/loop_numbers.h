#pragma once

#include "connected_graph/torchscript/abstract_value.h"

#include <torch/csrc/jit/ir/ir.h>

#include <vector>

namespace model_validator::torchscript {

/// Enters into the result of a node what it is for the loop around: a number that differs in every
/// iteration, or a comparison that holds in one at most.
void note_counter(const torch::jit::Node& node, const std::vector<Abstract>& inputs,
                  AbstractValue& result);

} // namespace model_validator::torchscript
