#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <vector>

namespace model_validator::verify {

/// The parameters that `forward` never writes into, not through views or other names either. If a
/// write's target cannot be determined, none.
std::vector<at::Tensor> unwritten_parameters(const torch::jit::Module& module);

} // namespace model_validator::verify
