#pragma once

#include "rules/file_node.h"
#include "rules/judge.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <vector>

namespace model_validator::rules {

/// What a target says against a part of a graph: one op, or one place of the file that no op stands
/// for.
struct RefusedOp {
  OpId op = none;
  const Operator* operator_of_file = nullptr; ///< where `op` is none; lives as long as the graph
  std::vector<Refusal> refusals;              ///< empty where it is only not known or not settled
  std::optional<FileNode> node;               ///< the first of them, of an ONNX file
  std::vector<std::string> unknown;           ///< operators of which nobody was asked
  std::vector<std::string> unsettled;         ///< conditions that the file does not settle
};

/// Judges the graph that the target's converter judges: with dead arms or without, and only
/// operators whose values reach an output where the front end tells. Refusals alone.
std::vector<RefusedOp> judge_graph(const TargetProfile& profile, const ConnectedGraph& graph);

} // namespace model_validator::rules
