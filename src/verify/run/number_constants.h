#pragma once

#include <torch/csrc/jit/api/module.h>

namespace model_validator::verify {

/// Lets constants without dimensions take part as numbers where LibTorch does, as the second
/// operand of `add`, `sub`, `mul` and `div`: a trace holds `x * 0.5` with such a constant, and of
/// integers LibTorch makes float32 by it. LibTorch's own pass, `CanonicalizeOps`, replaces the
/// nodes.
void number_constants(const torch::jit::Module& module);

} // namespace model_validator::verify
