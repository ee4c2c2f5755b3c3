#pragma once

#include <model_validator/partition/manifest.h>

#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

namespace model_validator::partition {

/// Computes a subgraph's outputs from its inputs.
using SubgraphFunction = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// Runs subgraphs in order and assembles the model's result.
/// @param subgraphs  one per subgraph of the manifest
/// @param inputs  of the model, in the order of the manifest
c10::IValue run_subgraphs(const Manifest& manifest, const std::vector<SubgraphFunction>& subgraphs,
                          const std::vector<c10::IValue>& inputs);

} // namespace model_validator::partition
