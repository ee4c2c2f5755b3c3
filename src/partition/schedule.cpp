#include "partition/schedule.h"

#include <algorithm>
#include <optional>

namespace model_validator::partition {
namespace {

/// For each cluster and target: how many runs must follow the open one, from this cluster on, if
/// the open run belongs to the target.
class Chains {
public:
  Chains(const ClusterGraph& clusters, const Colours& colours, std::size_t targets)
      : targets_(targets), runs_(clusters.size() * targets, 0) {
    const auto& order = clusters.topological_order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) fill(clusters, colours, *at);
  }

  std::size_t after(ClusterId cluster, std::size_t target) const {
    return runs_[cluster * targets_ + target];
  }

private:
  std::size_t behind(const ClusterGraph& clusters, ClusterId cluster, std::size_t target) const {
    std::size_t longest = 0;
    for (const ClusterId next : clusters.successors(cluster))
      longest = std::max(longest, after(next, target));
    return longest;
  }

  void fill(const ClusterGraph& clusters, const Colours& colours, ClusterId cluster) {
    const bool carried = clusters.carried(cluster);
    const std::size_t own = carried ? 0 : behind(clusters, cluster, colours[cluster]);
    for (std::size_t target = 0; target < targets_; ++target)
      runs_[cluster * targets_ + target] =
          carried ? behind(clusters, cluster, target) : own + (target == colours[cluster] ? 0 : 1);
  }

  std::size_t targets_;
  std::vector<std::size_t> runs_;
};

/// How to choose the next target among those with something ready.
enum class Rule { max_chain_length, most_ready };

class Scheduler {
public:
  Scheduler(const ClusterGraph& clusters, const Colours& colours, const Chains& chains,
            std::size_t targets)
      : clusters_(clusters), colours_(colours), chains_(chains), ready_(targets),
        longest_(targets, 0) {
    result_.run_of.assign(clusters.size(), 0);
    for (ClusterId cluster = 0; cluster < clusters.size(); ++cluster)
      missing_.push_back(clusters.predecessor_count(cluster));
  }

  Schedule run(Rule rule, std::size_t first) {
    for (ClusterId cluster = 0; cluster < clusters_.size(); ++cluster)
      if (clusters_.predecessor_count(cluster) == 0) release(cluster);
    if (!ready_[first].empty()) exhaust(first);
    while (const auto next = choose(rule)) exhaust(*next);
    return std::move(result_);
  }

private:
  std::optional<std::size_t> choose(Rule rule) const {
    std::optional<std::size_t> best;
    const auto value = [&](std::size_t target) {
      const std::pair chain_first{longest_[target], ready_[target].size()};
      return rule == Rule::max_chain_length ? chain_first
                                            : std::pair{chain_first.second, chain_first.first};
    };
    for (std::size_t target = 0; target < ready_.size(); ++target)
      if (!ready_[target].empty() && (!best || value(target) > value(*best))) best = target;
    return best;
  }

  void exhaust(std::size_t target) {
    result_.targets.push_back(target);
    while (!ready_[target].empty()) {
      const ClusterId cluster = ready_[target].back();
      ready_[target].pop_back();
      finish(cluster);
    }
    longest_[target] = 0;
  }

  void finish(ClusterId cluster) {
    std::vector<ClusterId> done{cluster};
    while (!done.empty()) {
      const ClusterId next = done.back();
      done.pop_back();
      result_.run_of[next] = result_.targets.empty() ? 0 : result_.targets.size() - 1;
      for (const ClusterId reader : clusters_.successors(next))
        if (--missing_[reader] == 0) {
          if (clusters_.carried(reader))
            done.push_back(reader);
          else
            make_ready(reader);
        }
    }
  }

  void release(ClusterId cluster) {
    if (clusters_.carried(cluster))
      finish(cluster);
    else
      make_ready(cluster);
  }

  void make_ready(ClusterId cluster) {
    const std::size_t target = colours_[cluster];
    ready_[target].push_back(cluster);
    longest_[target] = std::max(longest_[target], chains_.after(cluster, target));
  }

  const ClusterGraph& clusters_;
  const Colours& colours_;
  const Chains& chains_;
  std::vector<std::size_t> missing_;
  std::vector<std::vector<ClusterId>> ready_;
  std::vector<std::size_t> longest_; ///< per target: the chain behind any ready cluster
  Schedule result_;
};

} // namespace

Schedule schedule(const ClusterGraph& clusters, const Colours& colours, std::size_t target_count) {
  const Chains chains(clusters, colours, target_count);
  std::optional<Schedule> best;
  for (const Rule rule : {Rule::max_chain_length, Rule::most_ready})
    for (std::size_t first = 0; first < target_count; ++first) {
      Schedule found = Scheduler(clusters, colours, chains, target_count).run(rule, first);
      if (!best || found.targets.size() < best->targets.size()) best = std::move(found);
    }
  return best ? std::move(*best) : Schedule{};
}

std::size_t fewest_runs(const ClusterGraph& clusters, const Colours& colours,
                        std::size_t target_count) {
  const Chains chains(clusters, colours, target_count);
  std::size_t runs = 0;
  for (ClusterId cluster = 0; cluster < clusters.size(); ++cluster)
    if (!clusters.carried(cluster))
      runs = std::max(runs, chains.after(cluster, colours[cluster]) + 1);
  return runs;
}

} // namespace model_validator::partition
