#pragma once

#include <torch/csrc/jit/api/module.h>

#include <memory>

namespace model_validator::torchscript {

/// The graph of a method with every call in its place, the way torch inlines a model for whoever
/// converts it: each callee is simplified on its own first, by what constants and the types of its
/// values decide, and the method itself is not. Calls that the file does not decide stay, those on
/// an interface.
///
/// Nothing of the model is run, and the model's own graphs stay as they are. Null for a method that
/// is not there, and for one that would grow beyond all measure, since a file may call itself
/// large.
std::shared_ptr<torch::jit::Graph> inlined_graph(const torch::jit::Module& root,
                                                 const std::string& method);

} // namespace model_validator::torchscript
