#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// Loads what LibTorch needs for a device other than the CPU, `cuda`, and initialises nothing: a
/// device that is in use cannot be used by the processes that are forked later.
/// @throws Error (`no-device`)
void load_device(const std::string& device);
/// Loads CUDA's part of torch where torch has one.
void load_cuda_if_there();
/// Makes sure that there is such a device. Initialises it: for a process of its own.
/// @throws Error (`no-device`)
void require_device(const std::string& device);

/// A copy of the module on the device; the module itself for the CPU.
torch::jit::Module on_device(const torch::jit::Module& module, const std::string& device);
/// The same values, with their tensors on the device.
std::vector<c10::IValue> on_device(const std::vector<c10::IValue>& values,
                                   const std::string& device);
c10::IValue on_cpu(const c10::IValue& value);

} // namespace model_validator::verify
