#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/verify/inputs.h>
#include <model_validator/weights.h>

#include <vector>

namespace model_validator::verify {

/// Says of every input what it is taken for: by what the graph does with it, then by its name.
/// Sizes that the graph demands of a free dimension are filled in.
/// @param sample  reads small tensors that inputs are compared with; may be empty
void find_meanings(const ConnectedGraph& graph, std::vector<InputNeed>& needs,
                   const WeightSampler& sample = {});

/// By their names alone.
void find_meanings(std::vector<InputNeed>& needs);

} // namespace model_validator::verify
