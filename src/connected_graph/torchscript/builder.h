#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "connected_graph/torchscript/file/stated_values.h"

#include <model_validator/graph_builder.h>
#include <model_validator/graph_reader.h>

#include <torch/csrc/jit/api/module.h>

namespace model_validator::torchscript {

/// The graph of a TorchScript module: walks its `forward` (`Walk`), then merges module aliases.
/// Nothing of the model is run and no weights are read.
/// @param map    records which node of the module's code becomes which op
/// @param unset  hold the packed weights of quantized modules
/// @throws Error (`no-forward`, `too-large`, `too-deep`)
GraphBuilder build_graph(const torch::jit::Module& root, const ReadOptions& options = {},
                         NodeMap* map = nullptr, const UnsetObjects& unset = {});

} // namespace model_validator::torchscript
