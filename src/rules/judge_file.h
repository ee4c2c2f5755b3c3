#pragma once

#include "rules/judge_graph.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::rules {

/// Why a runtime does not load a file at all, whatever is in it.
struct FileRefusal {
  std::string reason; ///< the runtime's own words
  std::string help;   ///< the way out
};

/// The versions that a file is stamped with, against the newest that the release judged for loads.
std::vector<FileRefusal> judge_versions(const TargetProfile& profile, const ConnectedGraph& graph);

/// Whether a profile judges an ONNX file node by node, and the graph has its nodes.
bool judges_nodes(const TargetProfile& profile, const ConnectedGraph& graph);

/// What a target says of one node; nothing known against it where all of it is empty.
struct NodeVerdict {
  std::optional<Refusal> refusal;
  bool unknown = false;                  ///< an operator of somebody's own: nobody was asked of it
  std::vector<std::string> undetermined; ///< conditions that the file does not decide
};
NodeVerdict judge_node(const TargetProfile& profile, const FileNode& node);

/// Whether the table of operators was read from another version of the package than is judged for.
bool reads_another_release(const TargetProfile& profile);

/// The nodes of a file of which a target speaks, each with what it says; those that it takes
/// without a condition are left out.
std::vector<RefusedOp> judge_nodes(const TargetProfile& profile, const ConnectedGraph& graph);

} // namespace model_validator::rules
