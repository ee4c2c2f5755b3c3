#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <torch/csrc/jit/api/function_impl.h>

namespace model_validator::torchscript {

/// The function that a call runs; null for a node that is no call, and for a call that the file
/// does not resolve, such as one on an interface.
torch::jit::GraphFunction* callee_of(const Node& node);

} // namespace model_validator::torchscript
