#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::verify {

/// Takes tensors without elements out of what a flat graph concatenates, as far as others remain:
/// they add nothing but, in a mixture, their dtype, and LibTorch takes them in whatever shape,
/// which OpenVINO does not.
void drop_empties(torch::jit::Graph& graph);

} // namespace model_validator::verify
