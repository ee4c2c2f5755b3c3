#pragma once

#include <torch/csrc/jit/api/module.h>

#include <filesystem>
#include <string>

namespace model_validator::torchscript {

/// A method of a module, which may be saved with others than `forward` alone.
/// @param file  for the error; may be empty where its receiver adds it
/// @throws Error (`no-forward`)
torch::jit::Method method_of(const torch::jit::Module& module, const std::string& name = "forward",
                             const std::filesystem::path& file = {});

} // namespace model_validator::torchscript
