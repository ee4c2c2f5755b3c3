#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>

namespace model_validator::torchscript {

/// The code of `forward` with what it calls, as text that is the same whatever its values, lines
/// and modules without state are called, and in whichever process it was compiled. It holds what a
/// graph of ops leaves out, such as which round of a loop a value comes from. Empty for code whose
/// calls expand without limit.
std::string written_code(const torch::jit::Module& root);

} // namespace model_validator::torchscript
