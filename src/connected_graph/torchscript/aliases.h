#pragma once

#include "connected_graph/torchscript/calls.h"

#include <model_validator/graph_builder.h>

#include <map>

namespace model_validator::torchscript {

/// Merges the modules that were one object in Python, and records how often each is called.
///
/// A TorchScript file holds a copy of a module for each of its attribute paths; only the storages
/// of the parameters are kept once. So modules of one class whose parameters and buffers, including
/// those of children, have the same storages under the same names were the same module. In a trace
/// a shared module is called through only one path: copies that are called through several are
/// different modules with tied weights, and stay separate. A copy without any parameter cannot be
/// recognised.
///
/// Dropped aliases take their parameters with them; ops and frames are redirected to the primary.
void merge_aliases(GraphBuilder& graph, std::map<ModuleId, ModuleCalls> calls, bool traced);

} // namespace model_validator::torchscript
