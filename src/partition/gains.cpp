#include "partition/gains.h"

#include "partition/fall_back.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace model_validator::partition {
namespace {

/// The targets of each op if the target took the operator.
std::vector<TargetSet> with_operator(const Support& support, std::size_t target,
                                     const std::string& name) {
  std::vector<TargetSet> sets = support.targets_of;
  for (const RefusedBy& each : support.refused)
    if (each.target == target &&
        std::all_of(each.refusals.begin(), each.refusals.end(),
                    [&](const rules::Refusal& refusal) { return refusal.name == name; }))
      sets[each.op] |= TargetSet{1} << target;
  return sets;
}

class Gains {
public:
  Gains(const ConnectedGraph& graph, const ClusterGraph& clusters, const Support& support,
        const Plan& plan, const Options& options)
      : graph_(graph), clusters_(clusters), support_(support), plan_(plan), options_(options) {}

  std::vector<Gain> find() {
    std::vector<Gain> gains;
    std::set<std::pair<std::size_t, std::string>> asked;
    for (const Obstacle& obstacle : plan_.obstacles) {
      if (asked.size() >= options_.gains) break;
      if (!asked.emplace(obstacle.target, obstacle.name).second) continue;
      const Gain gain = gain_of(obstacle.target, obstacle.name);
      if (gain.ops > 0) gains.push_back(gain);
    }
    std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) {
      return std::tuple(a.partitions, b.multiply_accumulates, b.ops) <
             std::tuple(b.partitions, a.multiply_accumulates, a.ops);
    });
    return gains;
  }

private:
  Gain gain_of(std::size_t target, const std::string& name) const {
    const std::size_t fallback = options_.targets.size();
    Colours colours =
        first_targets(clusters_, with_operator(support_, target, name), options_.targets.size());
    const Schedule schedule =
        schedule_with_smallest_size(clusters_, colours, fallback + 1, options_.smallest);
    Gain gain{name, target, schedule.targets.size(), 0, 0};
    for (OpId op = 0; op < graph_.op_count(); ++op) {
      const ClusterId cluster = clusters_.cluster_of(op);
      if (cluster == none || !clusters_.computes(op)) continue;
      const std::size_t now = plan_.partitions[plan_.partition_of[op]].target;
      if (schedule.targets[schedule.run_of[cluster]] >= now) continue;
      ++gain.ops;
      const auto count = plan_.multiply_accumulates.by_op.find(op);
      if (count != plan_.multiply_accumulates.by_op.end())
        gain.multiply_accumulates += count->second;
    }
    return gain;
  }

  const ConnectedGraph& graph_;
  const ClusterGraph& clusters_;
  const Support& support_;
  const Plan& plan_;
  const Options& options_;
};

} // namespace

std::vector<Gain> find_gains(const ConnectedGraph& graph, const ClusterGraph& clusters,
                             const Support& support, const Plan& plan, const Options& options) {
  return Gains(graph, clusters, support, plan, options).find();
}

} // namespace model_validator::partition
