#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "verify/flat_program/program_module.h"

#include <model_validator/graph_builder.h>
#include <model_validator/trace.h>
#include <model_validator/verify/inputs.h>

#include <torch/csrc/jit/api/module.h>

#include <vector>

namespace model_validator::verify {

/// Runs the module with every sample and enters shapes and dtypes into its graph. Where a shape
/// depends on values that the run does not have, the trace says so; what was seen up to there is
/// entered.
/// @param map  of the module's code, from the walk that made the graph
/// @throws Error (`bad-inputs`, `run-failed`, `too-long`)
Trace trace_model(const torch::jit::Module& module, const torchscript::NodeMap& map,
                  const std::vector<Sample>& samples, const TraceOptions& options,
                  GraphBuilder& graph);

/// The same for a program of torch.export, whose own graph is filled in, with samples made of its
/// inputs' options, for whose sizes it was exported. @throws Error as above
Trace trace_program(ProgramModule& program, const TraceOptions& options);

} // namespace model_validator::verify
