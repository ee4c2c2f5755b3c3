#pragma once

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <vector>

namespace model_validator::verify {

/// For each output of a model, in order, the magnitude of the numbers that it is computed with, as
/// far as the graph alone shows: 1 where it comes from a sigmoid, a softmax or another function
/// that kernels evaluate with numbers of about 1 (0.5 + p/q), through whatever keeps or adds
/// values;
/// 0 where nothing is known.
std::vector<double> inner_magnitudes(const ConnectedGraph& graph);

/// For each output, whether it holds interpolated values, through whatever keeps or adds values.
std::vector<std::uint8_t> interpolated_outputs(const ConnectedGraph& graph);

} // namespace model_validator::verify
