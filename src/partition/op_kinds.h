#pragma once

#include <model_validator/partition/plan.h>

#include <cstdint>
#include <vector>

namespace model_validator::partition {

/// What an op is to the division.
enum class Part : std::uint8_t {
  outside,   ///< an input, output or constant, or an op that is absent: in no partition
  carried,   ///< a query, which is computed wherever it is needed
  computing, ///< does work that a target is chosen for
};

/// The part of each op.
std::vector<Part> parts_of(const ConnectedGraph& graph, const Constraints& constraints);

} // namespace model_validator::partition
