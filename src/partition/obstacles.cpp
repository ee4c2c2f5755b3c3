#include "partition/obstacles.h"

#include <algorithm>
#include <bit>
#include <map>

namespace model_validator::partition {

std::vector<Obstacle> find_obstacles(const Plan& plan, const Support& support) {
  std::map<std::tuple<std::size_t, std::string, std::string>, Obstacle> found;
  for (const RefusedBy& each : support.refused) {
    const std::size_t partition = plan.partition_of[each.op];
    // The op may already run on a more preferred target.
    if (partition == none || plan.partitions[partition].target < each.target) continue;
    for (const rules::Refusal& refusal : each.refusals) {
      Obstacle& obstacle = found[{each.target, refusal.name, refusal.reason}];
      obstacle.name = refusal.name;
      obstacle.target = each.target;
      obstacle.reason = refusal.reason;
      obstacle.help = refusal.replacement;
      obstacle.ops.push_back(each.op);
    }
  }
  std::vector<Obstacle> obstacles;
  for (auto& entry : found) obstacles.push_back(std::move(entry.second));
  std::stable_sort(obstacles.begin(), obstacles.end(), [](const Obstacle& a, const Obstacle& b) {
    return a.ops.size() > b.ops.size();
  });
  return obstacles;
}

std::vector<HeldBack> find_held_back(const ConnectedGraph& graph, const ClusterGraph& clusters,
                                     const Support& support, const Colours& wanted,
                                     const Plan& plan) {
  const std::size_t targets = plan.targets.size() - 1;
  std::vector<OpId> culprit(clusters.size() * targets, none); // the first op that a target refuses
  for (const RefusedBy& each : support.refused)
    if (const ClusterId cluster = clusters.cluster_of(each.op); cluster != none) {
      OpId& first = culprit[cluster * targets + each.target];
      first = std::min(first, each.op);
    }
  std::vector<HeldBack> held;
  for (OpId op = 0; op < graph.op_count(); ++op) {
    if (!clusters.computes(op) || support.targets_of[op] == 0) continue;
    const auto target = static_cast<std::size_t>(std::countr_zero(support.targets_of[op]));
    if (plan.partitions[plan.partition_of[op]].target <= target) continue;
    const ClusterId cluster = clusters.cluster_of(op);
    held.push_back(
        {op, target, wanted[cluster] > target ? culprit[cluster * targets + target] : none});
  }
  return held;
}

} // namespace model_validator::partition
