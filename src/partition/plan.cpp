#include "introspection/multiply_accumulates.h"
#include "partition/boundaries.h"
#include "partition/fall_back.h"
#include "partition/gains.h"
#include "partition/obstacles.h"
#include "partition/support.h"

#include <model_validator/error.h>
#include <model_validator/partition/plan.h>

namespace model_validator::partition {
namespace {

std::vector<std::string> names_of(const Options& options) {
  std::vector<std::string> names;
  for (const TargetProfile& target : options.targets) names.push_back(target.name);
  names.push_back(options.fallback);
  return names;
}

void fill_partitions(const ConnectedGraph& graph, const ClusterGraph& clusters,
                     const Schedule& schedule, Plan& plan) {
  for (const std::size_t target : schedule.targets)
    plan.partitions.push_back({target, {}, 0, 0, {}, {}});
  plan.partition_of.assign(graph.op_count(), none);
  for (OpId op = 0; op < graph.op_count(); ++op) {
    const ClusterId cluster = clusters.cluster_of(op);
    if (cluster == none) continue;
    const std::size_t run = schedule.run_of[cluster];
    plan.partition_of[op] = run;
    if (clusters.carried(cluster)) continue;
    Partition& partition = plan.partitions[run];
    partition.ops.push_back(op);
    if (clusters.computes(op)) ++partition.op_count;
    const auto count = plan.multiply_accumulates.by_op.find(op);
    if (count != plan.multiply_accumulates.by_op.end())
      partition.multiply_accumulates += count->second;
  }
}

/// Without the ops that are in no partition, such as those of branches that are not taken.
MultiplyAccumulates count_divided(const ConnectedGraph& graph, const ClusterGraph& clusters) {
  MultiplyAccumulates counts = count_multiply_accumulates(graph);
  std::erase_if(counts.unknown, [&](OpId op) { return clusters.cluster_of(op) == none; });
  std::erase_if(counts.by_op, [&](const auto& count) {
    const bool absent = clusters.cluster_of(count.first) == none;
    if (absent) counts.total -= count.second;
    return absent;
  });
  return counts;
}

/// With two targets the schedule is known to have the fewest runs; with more, the longest chain of
/// target changes may prove it.
bool is_fewest(const ClusterGraph& clusters, const Colours& colours, const Schedule& found,
               std::size_t targets) {
  const std::size_t runs = found.targets.size();
  return runs == fewest_runs(clusters, colours, targets) ||
         (targets <= 2 && runs == schedule(clusters, colours, targets).targets.size());
}

} // namespace

Plan make_plan(const ConnectedGraph& graph, const Constraints& constraints,
               const Options& options) {
  Plan plan;
  plan.targets = names_of(options);
  const ClusterGraph clusters(graph, constraints);
  for (OpId op = 0; op < graph.op_count(); ++op)
    if (clusters.computes(op)) ++plan.op_count;
  if (plan.op_count == 0)
    throw Error(ErrorKind::no_ops, graph.origin.path,
                "the model computes nothing: there is no op to divide");
  plan.multiply_accumulates = count_divided(graph, clusters);
  const Support support = judge_targets(graph, clusters, options.targets);
  plan.verdicts = support.verdicts;
  const Colours wanted = first_targets(clusters, support.targets_of, options.targets.size());
  Colours colours = wanted;
  const Schedule schedule =
      schedule_with_smallest_size(clusters, colours, plan.targets.size(), options.smallest);
  fill_partitions(graph, clusters, schedule, plan);
  plan.fewest = is_fewest(clusters, colours, schedule, plan.targets.size());
  find_boundaries(graph, plan);
  plan.obstacles = find_obstacles(plan, support);
  plan.held_back = find_held_back(graph, clusters, support, wanted, plan);
  plan.gains = find_gains(graph, clusters, support, plan, options);
  return plan;
}

} // namespace model_validator::partition
