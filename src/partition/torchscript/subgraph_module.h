#pragma once

#include "partition/torchscript/program.h"

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <unordered_map>

namespace model_validator::partition {

using ValueNames = std::unordered_map<const Value*, std::string>;

/// A module whose `forward` computes the subgraph, with the weights that it uses. It never writes
/// into its inputs, and returns nothing that it changes afterwards.
/// @param names  of its inputs
/// @throws Error (`cannot-divide`)
torch::jit::Module make_subgraph(const Program& program, const SubgraphContents& contents,
                                 const ValueNames& names);

} // namespace model_validator::partition
