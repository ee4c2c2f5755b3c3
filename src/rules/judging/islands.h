#pragma once

#include "rules/judging/judge_graph.h"

#include <model_validator/connected_graph.h>

#include <set>
#include <vector>

namespace model_validator::rules {

/// Whether an op computes values; views of a module's tensors and constants do not.
bool computes(const Op& op);

/// The ops that a target which falls back leaves to the processor.
std::set<OpId> run_elsewhere(const std::vector<RefusedOp>& refused);

/// The rest, as islands in order of their first op: an island is what values connect without
/// leaving the target.
std::vector<std::vector<OpId>> islands_without(const ConnectedGraph& graph,
                                               const std::set<OpId>& elsewhere);

} // namespace model_validator::rules
