#include "partition/fall_back.h"

#include <algorithm>

namespace model_validator::partition {
namespace {

/// Reordering after each fallback may merge partitions, but the number of rounds is bounded so that
/// the time stays linear. What is then left falls back within the order already found.
constexpr int max_rounds = 8;

std::vector<bool> too_small(const ClusterGraph& clusters, const Schedule& schedule,
                            std::size_t fallback, std::size_t smallest) {
  std::vector<std::size_t> sizes(schedule.targets.size(), 0);
  for (ClusterId cluster = 0; cluster < clusters.size() && !sizes.empty(); ++cluster)
    sizes[schedule.run_of[cluster]] += clusters.weight(cluster);
  std::vector<bool> small;
  for (std::size_t run = 0; run < sizes.size(); ++run)
    small.push_back(schedule.targets[run] != fallback && sizes[run] < smallest);
  return small;
}

void fall(const ClusterGraph& clusters, const Schedule& schedule, const std::vector<bool>& runs,
          std::size_t fallback, Colours& colours) {
  for (ClusterId cluster = 0; cluster < clusters.size(); ++cluster)
    if (runs[schedule.run_of[cluster]]) colours[cluster] = fallback;
}

/// Merges adjacent runs of the same target. Runs only grow.
Schedule merged(const Schedule& schedule, const std::vector<bool>& falls, std::size_t fallback) {
  Schedule result;
  std::vector<std::size_t> now;
  for (std::size_t run = 0; run < schedule.targets.size(); ++run) {
    const std::size_t target = falls[run] ? fallback : schedule.targets[run];
    if (result.targets.empty() || result.targets.back() != target) result.targets.push_back(target);
    now.push_back(result.targets.size() - 1);
  }
  for (const std::size_t run : schedule.run_of) result.run_of.push_back(now.at(run));
  return result;
}

} // namespace

Schedule schedule_with_smallest_size(const ClusterGraph& clusters, Colours& colours,
                                     std::size_t target_count, std::size_t smallest) {
  const std::size_t fallback = target_count - 1;
  for (int round = 0;; ++round) {
    Schedule found = schedule(clusters, colours, target_count);
    const auto small = too_small(clusters, found, fallback, smallest);
    if (std::none_of(small.begin(), small.end(), [](bool is) { return is; })) return found;
    fall(clusters, found, small, fallback, colours);
    if (round == max_rounds) return merged(found, small, fallback);
  }
}

} // namespace model_validator::partition
