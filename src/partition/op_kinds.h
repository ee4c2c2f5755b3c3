#pragma once

#include <model_validator/partition/plan.h>

#include <cstdint>
#include <vector>

namespace model_validator::partition {

/// What an op is to a division.
enum class Part : std::uint8_t {
  outside,   ///< an input, output or constant: it has no place in a partition
  carried,   ///< a query, which is computed wherever it is needed, or an op that is absent
  computing, ///< does work that a target is chosen for
};

/// Of each op.
std::vector<Part> parts_of(const ConnectedGraph& graph, const Constraints& constraints);

} // namespace model_validator::partition
