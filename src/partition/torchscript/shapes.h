#pragma once

#include "partition/torchscript/flat_module.h"

#include <model_validator/connected_graph.h>
#include <model_validator/verify/inputs.h>

#include <unordered_map>

namespace model_validator::partition {

/// Shape and dtype of values.
using ValueTypes = std::unordered_map<const torch::jit::Value*, TensorType>;

/// Runs a flat module for shapes and dtypes alone, on inputs as they are described.
/// @param source  the module as it was, which knows its inputs' names and defaults
/// @throws Error (`missing-input`, `run-failed`, …)
ValueTypes infer_shapes(const FlatModule& flat, const torch::jit::Module& source,
                        const verify::InputOptions& inputs);

} // namespace model_validator::partition
