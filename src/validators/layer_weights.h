#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// A stored tensor that a layer multiplies with.
struct LayerWeight {
  std::string name; ///< in the file
  OpId op = none;   ///< of the layer
  TensorType type;
  std::size_t axis = 0; ///< its dimension of the layer's output channels
};

/// The weights of convolutions and products, each once, in execution order. Looks back over casts,
/// transpositions and quantisers.
std::vector<LayerWeight> layer_weights(const ConnectedGraph& graph);

} // namespace model_validator
