#pragma once

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a graph says of the noise of its outputs, of each in order.
struct GraphNoise {
  /// Of the numbers that it is computed with, as far as the graph alone shows: 1 where it comes
  /// from a sigmoid, a softmax or another function that kernels evaluate with numbers of about 1
  /// (0.5 + p/q), through whatever keeps or adds values; 0 where nothing is known.
  std::vector<double> magnitudes;
  std::vector<std::string> computed_in;
  /// Whether it holds values at places that are rounded, through whatever keeps or adds values.
  std::vector<std::uint8_t> interpolated;
  bool rounds_to_steps = false;
  bool may_rank = true; ///< results are in the order of their values; true where no graph says it
};

template <class Archive> void describe(Archive& archive, GraphNoise& noise) {
  archive(noise.magnitudes, noise.computed_in, noise.interpolated, noise.rounds_to_steps,
          noise.may_rank);
}

GraphNoise graph_noise(const ConnectedGraph& graph);

/// For each output of a model, in order, the least precise floating dtype among the results that it
/// is computed from; empty where the graph does not say. Casts, and what only moves values, do not
/// count: they compute nothing.
std::vector<std::string> computing_dtypes(const ConnectedGraph& graph);

} // namespace model_validator::verify
