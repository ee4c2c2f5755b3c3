#pragma once

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a graph says of the noise of its outputs.
struct GraphNoise {
  std::vector<double> magnitudes;         ///< one per output
  std::vector<std::string> computed_in;   ///< the least precise dtype; empty where unknown
  std::vector<std::uint8_t> interpolated; ///< which outputs are, at places that are rounded
  bool rounds_to_steps = false;
  bool may_rank = true; ///< results are in the order of their values; true where no graph says it
};

template <class Archive> void describe(Archive& archive, GraphNoise& noise) {
  archive(noise.magnitudes, noise.computed_in, noise.interpolated, noise.rounds_to_steps,
          noise.may_rank);
}

GraphNoise graph_noise(const ConnectedGraph& graph);

} // namespace model_validator::verify
