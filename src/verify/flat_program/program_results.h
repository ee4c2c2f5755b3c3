#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// What a program returns, put together as its Python returned it.
/// @param structure  the `TreeSpec` that torch.export wrote as text; empty: a tuple
/// @param leaves     its tensors and numbers, in order
/// @throws what the JSON library throws for a structure that torch.export would not write
torch::jit::Value* put_together(torch::jit::Graph& graph, const std::string& structure,
                                const std::vector<torch::jit::Value*>& leaves);

} // namespace model_validator::verify
