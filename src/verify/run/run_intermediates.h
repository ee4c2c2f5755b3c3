#pragma once

#include <model_validator/verify/backend.h>

namespace model_validator::verify {

/// Runs the module operator by operator: every tensor that its operators make can be seen and
/// replaced.
std::vector<at::Tensor> run_intermediates(const torch::jit::Module& module,
                                          const std::vector<c10::IValue>& inputs,
                                          const IntermediateRun& run);

} // namespace model_validator::verify
