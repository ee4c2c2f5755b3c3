#pragma once

#include "partition/cluster_graph.h"

#include <cstddef>
#include <vector>

namespace model_validator::partition {

/// The target of each cluster; of those that are carried along nothing is read.
using Colours = std::vector<std::size_t>;

/// Clusters in an order of running, cut where the target changes.
struct Schedule {
  std::vector<std::size_t> targets; ///< of each run
  std::vector<std::size_t> run_of;  ///< of each cluster; of a carried one the first it can be in
};

/// Orders the clusters so that the target changes as seldom as can be had. Every acyclic division
/// into partitions of one target each is such an order, so the runs are the partitions.
///
/// One target is run until nothing is ready for it, then another. With two targets no order has
/// fewer runs than the better of the two beginnings; with more several rules of choice are tried.
Schedule schedule(const ClusterGraph& clusters, const Colours& colours, std::size_t target_count);

/// No division has fewer partitions: the most changes of target along one path.
std::size_t fewest_runs(const ClusterGraph& clusters, const Colours& colours,
                        std::size_t target_count);

} // namespace model_validator::partition
