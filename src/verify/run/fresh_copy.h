#pragma once

#include "verify/run/tensor_tree.h"

#include <torch/csrc/jit/api/module.h>

namespace model_validator::verify {

/// The parameters that `forward` never writes into, not through views or other names either. If a
/// write's target cannot be determined, none.
std::vector<at::Tensor> unwritten_parameters(const torch::jit::Module& module);

/// The module as it was saved, for one run: what the run changes of its attributes, buffers and
/// parameters stays in the copy. Parameters that no run changes are shared.
torch::jit::Module fresh_copy(const torch::jit::Module& module);

/// The same for single tensors, to be given to a RunState: those of the module that runs may change
/// are copied, the others shared.
TensorMap fresh_tensors(const torch::jit::Module& module);

} // namespace model_validator::verify
