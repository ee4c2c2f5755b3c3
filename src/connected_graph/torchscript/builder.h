#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/graph_reader.h>

#include <torch/csrc/jit/api/module.h>

namespace model_validator::torchscript {

/// The ConnectedGraph of a module's `forward`.
ConnectedGraph build_graph(const torch::jit::Module& module, const ReadOptions& options);

} // namespace model_validator::torchscript
