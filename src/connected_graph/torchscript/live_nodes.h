#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {

/// What a node does with one of its inputs.
enum class Use {
  reads,     ///< also for the language's own nodes, without a schema
  writes,    ///< changes it in place
  passes_on, ///< yields a view of it
};
Use use_of(const torch::jit::Node& node, std::size_t input);

/// The nodes of a graph, nested blocks included and in no particular order, whose values reach an
/// output of the graph, or change in place a value that does.
std::vector<const torch::jit::Node*> live_nodes(const torch::jit::Graph& graph);

} // namespace model_validator::torchscript
