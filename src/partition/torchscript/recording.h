#pragma once

#include "partition/torchscript/flat_module.h"

#include <model_validator/graph_reader.h>

#include <ATen/core/ivalue.h>

#include <vector>

namespace model_validator::partition {

/// What the module runs for these inputs, with its own inputs and result: its branches are decided
/// and its loops unrolled. Inputs that are no tensors, and sizes, become constants.
/// @throws Error (`cannot-flatten`) where the run depends on more than the inputs' shapes: on
/// values of tensors
FlatModule record(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
                  const ReadOptions& options);

} // namespace model_validator::partition
