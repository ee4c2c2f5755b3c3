#pragma once

#include <torch/csrc/jit/api/module.h>

#include <cstddef>

namespace model_validator::torchscript {

/// How many nodes the code of a module and of all it holds and calls has, every method and function
/// counted once, however often it is called.
std::size_t written_nodes(const torch::jit::Module& root);

} // namespace model_validator::torchscript
