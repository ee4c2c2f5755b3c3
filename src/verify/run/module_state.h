#pragma once

#include <torch/csrc/jit/api/module.h>

#include <vector>

namespace model_validator::verify {

/// Whether a call with one of the samples changes the module's attributes, buffers or parameters.
/// The module itself is left unchanged.
bool changes_state(const torch::jit::Module& module,
                   const std::vector<std::vector<c10::IValue>>& samples);

/// Puts a module, and all that it holds, into training mode.
/// @throws Error (`not-trainable`) where it has none, because it was frozen
void put_into_training(torch::jit::Module& module);

} // namespace model_validator::verify
