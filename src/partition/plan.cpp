#include "introspection/multiply_accumulates.h"
#include "partition/fall_back.h"
#include "partition/support.h"

#include <model_validator/error.h>
#include <model_validator/partition/plan.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

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

/// Output `second` of op `first`.
using Source = std::pair<OpId, std::size_t>;

/// Fills in the inputs and outputs of each partition. A query is computed where it is needed, so
/// its inputs cross instead.
class Boundaries {
public:
  Boundaries(const ConnectedGraph& graph, Plan& plan) : graph_(graph), plan_(plan) {
    for (std::size_t i = 0; i < plan.partitions.size(); ++i)
      for (const OpId op : plan.partitions[i].ops) home_[op] = i;
  }

  void run() {
    for (std::size_t i = 0; i < plan_.partitions.size(); ++i) {
      seen_.clear();
      std::set<Source> crossing;
      for (const OpId op : plan_.partitions[i].ops) collect(op, i, crossing);
      for (const Source& source : crossing) plan_.partitions[i].inputs.push_back(name(source));
      taken_.insert(crossing.begin(), crossing.end());
    }
    for (const OpId output : graph_.outputs()) {
      seen_.clear();
      collect(output, none, taken_);
    }
    for (const Source& source : taken_)
      if (const auto home = home_.find(source.first); home != home_.end())
        plan_.partitions[home->second].outputs.push_back(name(source));
  }

private:
  /// What an op reads from outside the partition, through ops that are in no partition.
  void collect(OpId first, std::size_t partition, std::set<Source>& crossing) {
    std::vector<OpId> readers{first};
    while (!readers.empty()) {
      const OpId reader = readers.back();
      readers.pop_back();
      for (const auto edge : boost::make_iterator_range(boost::in_edges(reader, graph_.graph()))) {
        const OpId from = boost::source(edge, graph_.graph());
        const OpKind kind = graph_.op(from).kind;
        const auto home = home_.find(from);
        if (kind == OpKind::constant || (home != home_.end() && home->second == partition))
          continue;
        if (kind != OpKind::input && home == home_.end()) {
          if (seen_.insert(from).second) readers.push_back(from);
          continue;
        }
        crossing.emplace(from, graph_.graph()[edge].output);
      }
    }
  }

  std::string name(const Source& source) const {
    const std::string& op = graph_.op(source.first).name;
    return source.second == 0 ? op : op + ":" + std::to_string(source.second);
  }

  const ConnectedGraph& graph_;
  Plan& plan_;
  std::map<OpId, std::size_t> home_; ///< for ops that are not carried along
  std::set<OpId> seen_;
  std::set<Source> taken_;
};

/// What keeps ops off a target preferred to the one they run on: operators that it refuses.
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
      obstacle.unknown = refusal.mishap == Mishap::unknown;
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

/// For each cluster and target the first op that the target refuses in it, or in a query for it.
std::vector<OpId> find_culprits(const ClusterGraph& clusters, const Support& support,
                                std::size_t targets) {
  std::vector<OpId> culprit(clusters.size() * targets, none);
  for (const RefusedBy& each : support.refused) {
    OpId& first = culprit[clusters.cluster_of(each.op) * targets + each.target];
    first = std::min(first, each.op);
  }
  for (const ClusterId cluster : clusters.topological_order())
    for (const ClusterId reader : clusters.successors(cluster))
      for (std::size_t i = 0; i < targets && clusters.carried(cluster); ++i) {
        OpId& first = culprit[reader * targets + i];
        first = std::min(first, culprit[cluster * targets + i]);
      }
  return culprit;
}

/// Ops that a target would take but for other ops or the smallest size.
/// @param wanted  colours by support alone
std::vector<HeldBack> find_held_back(const ConnectedGraph& graph, const ClusterGraph& clusters,
                                     const Support& support, const Colours& wanted,
                                     const Plan& plan) {
  const std::size_t targets = plan.targets.size() - 1;
  const std::vector<OpId> culprit = find_culprits(clusters, support, targets);
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

/// Divides the graph again for each of the operators that affect the most ops, as if the target
/// that refuses it took it.
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
  Boundaries(graph, plan).run();
  plan.obstacles = find_obstacles(plan, support);
  plan.held_back = find_held_back(graph, clusters, support, wanted, plan);
  plan.gains = Gains(graph, clusters, support, plan, options).find();
  return plan;
}

} // namespace model_validator::partition
