#pragma once

#include "partition/support.h"

#include <model_validator/partition/plan.h>

namespace model_validator::partition {

/// What keeps ops off a target preferred to the one they run on: operators that it refuses.
std::vector<Obstacle> find_obstacles(const Plan& plan, const Support& support);

/// Ops that a target would take but for other ops or the smallest size.
/// @param wanted  colours by support alone
std::vector<HeldBack> find_held_back(const ConnectedGraph& graph, const ClusterGraph& clusters,
                                     const Support& support, const Colours& wanted,
                                     const Plan& plan);

} // namespace model_validator::partition
