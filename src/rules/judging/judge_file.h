#pragma once

#include "rules/judging/judge_graph.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::rules {

/// Why a runtime does not load a file at all, whatever is in it.
struct FileRefusal {
  std::string reason; ///< the runtime's own words
  std::string help;   ///< the fix
};

/// The versions that a file is stamped with, against the newest that the release judged for loads,
/// and the dtypes of inputs that no node reads.
std::vector<FileRefusal> judge_versions(const TargetProfile& profile, const ConnectedGraph& graph);

/// Whether a profile judges an ONNX file node by node, and the graph has its nodes.
bool judges_nodes(const TargetProfile& profile, const ConnectedGraph& graph);

/// A target's verdict on each node of a file. By a profile of what a runtime was asked, one that it
/// was not asked for is not known, and one that is right by itself is not simply taken in another
/// model.
/// @param regions  of the graph
std::vector<std::pair<NodeView, Judgement>> judge_each(const TargetProfile& profile,
                                                       const Program& program,
                                                       const std::vector<Region>& regions = {});

/// Whether the table of operators was read from a version of the package other than the judged one.
bool reads_another_release(const TargetProfile& profile);

/// A target's verdicts on the nodes of a file; nodes that it takes unconditionally are left out.
std::vector<RefusedOp> judge_nodes(const TargetProfile& profile, const ConnectedGraph& graph);
/// The same of nodes that are judged.
std::vector<RefusedOp> by_op(const std::vector<std::pair<NodeView, Judgement>>& judged);

} // namespace model_validator::rules
