#pragma once

#include <model_validator/connected_graph.h>

#include <cstddef>

namespace model_validator {

/// Weights that an embedding looks rows up in and that a product multiplies with, as they are or
/// transposed. Those that are packed are counted with the packed weights.
std::size_t count_tied_embeddings(const ConnectedGraph& graph);

} // namespace model_validator
