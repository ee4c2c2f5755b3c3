#pragma once

#include "partition/cluster_graph.h"

#include <cstddef>
#include <vector>

namespace model_validator::partition {

/// The target of each cluster; entries of clusters carried along are not read.
using Colours = std::vector<std::size_t>;

/// Clusters in execution order, cut where the target changes.
struct Schedule {
  std::vector<std::size_t> targets; ///< per run
  std::vector<std::size_t> run_of;  ///< per cluster; for a carried one, the first it can be in
};

/// Orders the clusters so that the target changes as seldom as possible. Every acyclic division
/// into single-target partitions is such an order, so the runs are the partitions.
///
/// One target runs until nothing is ready for it, then another. With two targets no order has fewer
/// runs than the better of the two starts; with more, several rules of choice are tried.
Schedule schedule(const ClusterGraph& clusters, const Colours& colours, std::size_t target_count);

/// A lower bound on the number of partitions: the most target changes along one path.
std::size_t fewest_runs(const ClusterGraph& clusters, const Colours& colours,
                        std::size_t target_count);

} // namespace model_validator::partition
