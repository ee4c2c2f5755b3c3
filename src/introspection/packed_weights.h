#pragma once

#include "connected_graph/operators.h"

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace model_validator {

/// A weight whose numbers are packed into the elements of another type, several to a byte.
struct PackedWeight {
  std::uint64_t elements = 0;  ///< numbers that it stands for
  std::int64_t bits = 0;       ///< of each
  std::int64_t block_size = 0; ///< so many numbers share a scale
};

/// The packed weights of a graph, and what only serves to unpack them.
struct PackedWeights {
  std::map<ParameterId, PackedWeight> weights;
  std::set<ParameterId> scales; ///< and zero points
  std::size_t tied = 0;         ///< weights that both look up rows and multiply
};

/// As `MatMulNBits` and `GatherBlockQuantized` of ONNX Runtime read them.
PackedWeights find_packed_weights(const ConnectedGraph& graph);

/// The parameter at an operand, also one behind an op that does one of some things.
std::optional<ParameterId> parameter_behind(const ConnectedGraph& graph, OpId op,
                                            std::size_t operand, Does turned);

/// How many elements a tensor has; 0 where its shape is not known.
std::uint64_t stored_elements(const TensorType& type);

/// Numbers that a product of packed weights reads for each one that it gives; 0 for other
/// operators.
std::int64_t packed_depth(const Op& op);

} // namespace model_validator
