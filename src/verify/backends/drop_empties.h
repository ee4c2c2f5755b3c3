#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::verify {

/// Removes tensors without elements from the concatenations of a flat graph, as long as others
/// remain. They contribute nothing but, among mixed dtypes, their dtype. LibTorch accepts them in
/// any shape; OpenVINO does not.
void drop_empties(torch::jit::Graph& graph);

} // namespace model_validator::verify
