#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {

/// The nodes of a graph, nested blocks included and in no particular order, whose values reach an
/// output of the graph, or change in place a value that does.
std::vector<const torch::jit::Node*> live_nodes(const torch::jit::Graph& graph);

} // namespace model_validator::torchscript
