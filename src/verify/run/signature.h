#pragma once

#include <model_validator/verify/inputs.h>

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace model_validator::verify {

/// What the module's `forward` needs.
/// @param file  for the error; may be empty where its receiver adds it
/// @throws Error (`no-forward`)
std::vector<InputNeed> needs_of(const torch::jit::Module& module,
                                const std::filesystem::path& file = {});

/// A sample in the types that the module's `forward` declares.
/// @throws Error (`bad-inputs`) naming the input that does not fit
std::vector<c10::IValue> to_arguments(const torch::jit::Module& module, const Sample& sample);

/// One per argument; none for what is no tensor.
std::vector<std::optional<Shape>> shapes_of(const std::vector<c10::IValue>& arguments);

/// A plain value as LibTorch holds it; tensors share memory.
c10::IValue to_ivalue(const Value& value);
at::Tensor to_torch(const Tensor& tensor);

} // namespace model_validator::verify
