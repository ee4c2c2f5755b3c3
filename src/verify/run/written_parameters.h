#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <vector>

namespace model_validator::verify {

/// The parameters that `forward` may write into, through views and other names as well. If a
/// write's target cannot be determined, all of them.
std::vector<at::Tensor> written_parameters(const torch::jit::Module& module);

} // namespace model_validator::verify
