#pragma once

#include "partition/schedule.h"
#include "rules/judging/judge.h"

#include <model_validator/partition/plan.h>

#include <cstdint>
#include <vector>

namespace model_validator::partition {

/// One bit per target.
using TargetSet = std::uint32_t;
inline constexpr std::size_t max_targets = 31;

/// Operators of an op that a target refuses.
struct RefusedBy {
  std::size_t target = 0;
  OpId op = none;
  std::vector<rules::Refusal> refusals;
};

/// What each target takes.
struct Support {
  std::vector<TargetSet> targets_of; ///< per op
  std::vector<RefusedBy> refused;
  std::vector<VerdictCounts> verdicts; ///< per target
};

/// @throws Error (`wrong-format`, `too-many-targets`)
Support judge_targets(const ConnectedGraph& graph, const ClusterGraph& clusters,
                      const std::vector<TargetProfile>& targets);

/// For each cluster the first target that takes all of it, else the fallback, whose index is the
/// number of targets.
Colours first_targets(const ClusterGraph& clusters, const std::vector<TargetSet>& targets_of,
                      std::size_t target_count);

} // namespace model_validator::partition
