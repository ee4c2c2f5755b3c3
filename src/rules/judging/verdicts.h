#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>
#include <model_validator/verdict.h>

#include <vector>

namespace model_validator::rules {

/// What is known about whether a target takes a graph, operator by operator.
TargetVerdict verdict_on(const TargetProfile& profile, const ConnectedGraph& graph);

/// For each op of the unchanged file, the worst verdict on its operators; one that computes nothing
/// is taken.
std::vector<Verdict> verdicts_by_op(const TargetProfile& profile, const ConnectedGraph& graph);

} // namespace model_validator::rules
