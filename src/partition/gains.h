#pragma once

#include "partition/support.h"

#include <model_validator/partition/plan.h>

namespace model_validator::partition {

/// Divides the graph again for each of the operators that affect the most ops, as if the target
/// that refuses it took it.
std::vector<Gain> find_gains(const ConnectedGraph& graph, const ClusterGraph& clusters,
                             const Support& support, const Plan& plan, const Options& options);

} // namespace model_validator::partition
