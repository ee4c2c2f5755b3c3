#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>

namespace model_validator::verify {

/// Adds methods given as TorchScript source.
inline void define(torch::jit::Module& module, const std::string& source) {
  module.define(source + "\n");
}

/// A module made of TorchScript source.
inline torch::jit::Module scripted(const std::string& source) {
  torch::jit::Module module("Model");
  if (!source.empty()) define(module, source);
  return module;
}

} // namespace model_validator::verify
