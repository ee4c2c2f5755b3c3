#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::partition {

/// Hands on what the model sets as an attribute to who reads the attribute afterwards, where it is
/// sure that nothing else has been set in between. What is set stays set.
void forward_attributes(torch::jit::Graph& graph);

} // namespace model_validator::partition
