#pragma once

#include "connected_graph/path_condition.h"
#include "connected_graph/torchscript/source_frames.h"

#include <model_validator/connected_graph.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// What is around the node that a walk looks at.
struct Scope {
  Call* call = nullptr;
  std::size_t depth = 0; ///< calls around
  RegionId region = none;
  PathCondition path;
  std::size_t times = 1;                 ///< product of the trip counts of the loops around
  std::map<RegionId, std::size_t> trips; ///< of each loop that is open
  std::size_t open_loops = 0;
  std::vector<Operator>* collecting = nullptr; ///< inside a leaf: operators go here

  /// How often something runs that runs once in all the rounds of a loop.
  std::size_t times_once_in(RegionId loop) const {
    const auto found = trips.find(loop);
    if (found == trips.end()) return times;
    return std::max<std::size_t>(times / std::max<std::size_t>(found->second, 1), 1);
  }
};

/// Gives a part of the scope another value, and its own back at the end of the block.
template <typename T> class Within {
public:
  Within(T& part, T value) : part_(part), outer_(std::exchange(part, std::move(value))) {}
  ~Within() { part_ = std::move(outer_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

private:
  T& part_;
  T outer_;
};

} // namespace model_validator::torchscript
