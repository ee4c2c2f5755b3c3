#pragma once

#include "rules/judge.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <vector>

namespace model_validator::rules {

/// What a target does not take of a graph: one op, or one place of code that no op stands for.
struct RefusedOp {
  OpId op = none;
  const Operator* operator_of_file = nullptr; ///< where `op` is none; lives as long as the graph
  std::vector<Refusal> refusals;              ///< never empty
};

/// Judges the graph that the target's converter judges: with dead arms or without, and only
/// operators whose values reach an output where the front end tells.
std::vector<RefusedOp> judge_graph(const TargetProfile& profile, const ConnectedGraph& graph);

} // namespace model_validator::rules
