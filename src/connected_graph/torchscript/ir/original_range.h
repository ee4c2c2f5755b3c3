#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::torchscript {

/// A range of the user's Python where the file's own code was made from it; else itself.
torch::jit::SourceRange original_range(const torch::jit::SourceRange& range);

} // namespace model_validator::torchscript
