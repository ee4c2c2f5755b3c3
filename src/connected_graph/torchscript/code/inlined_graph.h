#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <torch/csrc/jit/api/module.h>

#include <memory>

namespace model_validator::torchscript {

/// The graph of a method with every call inlined, the way torch inlines a model for a converter:
/// each callee is first simplified separately, by constants and the types of its values; the method
/// itself is not. Calls that the file does not resolve, on an interface, stay.
///
/// Nothing of the model is run, and the model's own graphs stay as they are. Null for a missing
/// method, and for one that would grow too large, because calls can expand a file without limit.
std::shared_ptr<Graph> inlined_graph(const torch::jit::Module& root, const std::string& method);

} // namespace model_validator::torchscript
