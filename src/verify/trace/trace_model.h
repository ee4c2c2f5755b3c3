#pragma once

#include "connected_graph/torchscript/node_map.h"

#include <model_validator/trace.h>
#include <model_validator/verify/inputs.h>
#include <model_validator/verify/interpreter.h>

#include <torch/csrc/jit/api/module.h>

#include <vector>

namespace model_validator::verify {

/// Runs the module with every sample and enters shapes and dtypes into its graph. Where a shape
/// depends on values that the mode does not have, the trace says so; what was seen up to there is
/// entered.
/// @param map   of the module's code, from the walk that made the graph
/// @throws Error (`bad-inputs`, `run-failed`)
Trace trace_model(const torch::jit::Module& module, const torchscript::NodeMap& map,
                  const std::vector<Sample>& samples, RunMode mode, ConnectedGraph& graph);

} // namespace model_validator::verify
