#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>

namespace model_validator::torchscript {

/// The code of a module's file as text that is the same whatever its values and lines are called,
/// and in whichever process it was compiled: the methods of each module, then other functions.
/// It holds what a graph of ops leaves out, such as which round of a loop a value comes from.
std::string written_code(const torch::jit::Module& root);

} // namespace model_validator::torchscript
