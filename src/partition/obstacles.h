#pragma once

#include "partition/support.h"

#include <model_validator/partition/plan.h>

namespace model_validator::partition {

/// What keeps ops from running on a target they are offered to first: operators that it refuses.
std::vector<Obstacle> find_obstacles(const Plan& plan, const Support& support);

/// Ops that a target would take, were it not for others or for the smallest size.
/// @param wanted  colours by support alone
std::vector<HeldBack> find_held_back(const ConnectedGraph& graph, const ClusterGraph& clusters,
                                     const Support& support, const Colours& wanted,
                                     const Plan& plan);

} // namespace model_validator::partition
