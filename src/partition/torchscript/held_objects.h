#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::partition {

/// Subgraphs share no objects: a change that one makes would be lost on the others.
/// @throws Error (`cannot-flatten`) where the model keeps an object of a class of its own, no
/// module, and code that the graph may run changes such objects
void refuse_changing_objects(torch::jit::Graph& graph);

} // namespace model_validator::partition
