#pragma once

#include <model_validator/file_rules.h>
#include <model_validator/program.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::rules {

/// A runtime's verdict on one node.
struct NodeJudgement {
  std::optional<std::string> refusal;    ///< in the runtime's own words
  std::string remedy;                    ///< of a refusal; may be empty
  Mishap mishap = Mishap::refused;       ///< what happens where it is tried all the same
  std::vector<std::string> undetermined; ///< what the verdict depends on and the file does not say
};

/// The version of an operator in an opset; null where there is none as old.
const OperatorVersion* version_in(const std::vector<OperatorVersion>& versions, int opset);

/// Whether the runtime takes a node: by its schema, its kernels, and what it was seen to refuse.
NodeJudgement judge_node(const FileRules& rules, NodeView node);

} // namespace model_validator::rules
