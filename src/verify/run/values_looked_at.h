#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/ir/ir.h>

#include <vector>

namespace model_validator::verify {

/// Whether sizes, or numbers, that follow may depend on the values of tensors that the run being
/// recorded made, and an operator is given: not on their shapes and dtypes alone.
bool looks_at_values(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs);

} // namespace model_validator::verify
