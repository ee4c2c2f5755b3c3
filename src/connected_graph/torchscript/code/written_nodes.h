#pragma once

#include <torch/csrc/jit/api/module.h>

#include <cstddef>

namespace model_validator::torchscript {

/// The number of nodes in the code of a module's file: in every method and function once, however
/// often it is called.
std::size_t written_nodes(const torch::jit::Module& root);

} // namespace model_validator::torchscript
