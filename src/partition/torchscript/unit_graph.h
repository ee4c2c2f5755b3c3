#pragma once

#include "partition/torchscript/flat_module.h"
#include "partition/torchscript/result_tree.h"
#include "partition/torchscript/shapes.h"
#include "partition/torchscript/units.h"

#include <model_validator/connected_graph.h>

#include <torch/csrc/jit/api/module.h>

#include <vector>

namespace model_validator::partition {

/// Enters the live units of a flat module into a graph, one op each, with the modules and lines of
/// Python they come from.
/// @param source  the module as it was, for its hierarchy
/// @param types   of the values whose types are known
/// @returns the op of each unit; `none` for one that is not live
std::vector<OpId> describe_units(const FlatModule& flat, const Units& units,
                                 const std::vector<bool>& live, const Returned& result,
                                 const torch::jit::Module& source, const ValueTypes& types,
                                 ConnectedGraph& graph);

} // namespace model_validator::partition
