#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// Makes sure that LibTorch has the device, `cpu` or `cuda`. Initialises it: for a process of its
/// own.
/// @throws Error (`no-device`)
void require_device(const std::string& device);

/// A copy of the module on the device; the module itself for the CPU.
torch::jit::Module on_device(const torch::jit::Module& module, const std::string& device);
/// The same values, with their tensors on the device.
std::vector<c10::IValue> on_device(const std::vector<c10::IValue>& values,
                                   const std::string& device);
c10::IValue on_cpu(const c10::IValue& value);

} // namespace model_validator::verify
