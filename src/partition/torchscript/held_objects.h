#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::partition {

/// Subgraphs share no objects: the others would not see a change that one makes.
/// @throws Error (`cannot-flatten`) if the model keeps an object of a custom class that is not a
/// module, and code that the graph may run changes such objects
void refuse_changing_objects(torch::jit::Graph& graph);

} // namespace model_validator::partition
