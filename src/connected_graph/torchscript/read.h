#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "connected_graph/torchscript/file/load.h"

#include <model_validator/connected_graph.h>
#include <model_validator/graph_builder.h>
#include <model_validator/graph_reader.h>

#include <filesystem>
#include <functional>

namespace model_validator::torchscript {

/// Work on a file while its module is loaded and its graph exists.
using AfterRead =
    std::function<void(const LoadedFile& loaded, const NodeMap& map, GraphBuilder& graph)>;

/// Reads a TorchScript file. Nothing of the model is run and no weights are read, unless `after`
/// does so; without `after` no map is made.
/// @throws Error
ConnectedGraph read_torchscript(const std::filesystem::path& file, const ReadOptions& options,
                                const AfterRead& after = {});

} // namespace model_validator::torchscript
