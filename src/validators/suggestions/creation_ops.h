#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <string_view>

namespace model_validator {

/// Whether an op of this type makes a tensor from sizes and numbers alone: `zeros`, `arange`.
bool makes_tensor(std::string_view type);

/// What is needed to make a tensor once instead of by an op.
struct MadeTensor {
  /// The Python that makes it, where everything in it is a constant: `torch.zeros(8)`.
  std::string expression;
  /// Why it cannot be made once, as a clause: `its sizes are computed`; empty where it can.
  std::string obstacle;
};
MadeTensor made_tensor(const ConnectedGraph& graph, OpId op);

} // namespace model_validator
