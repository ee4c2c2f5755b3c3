#pragma once

#include "verify/inputs/npz.h"

#include <torch/csrc/jit/api/module.h>

#include <optional>
#include <vector>

namespace model_validator::verify {

/// What a call with one of the samples changes of the module's attributes, buffers and parameters,
/// as it was before, with its path; nothing where no call changes anything. The module itself is
/// left unchanged.
std::optional<NamedTensors> changed_state(const torch::jit::Module& module,
                                          const std::vector<std::vector<c10::IValue>>& samples);

/// Puts a module, and all that it holds, into training mode.
/// @throws Error (`not-trainable`) where it has none, because it was frozen
void put_into_training(torch::jit::Module& module);

} // namespace model_validator::verify
