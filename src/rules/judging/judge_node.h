#pragma once

#include "rules/judging/judge.h"

#include <model_validator/file_rules.h>
#include <model_validator/program.h>

#include <vector>

namespace model_validator::rules {

/// The version of an operator in an opset; null where there is none as old.
const OperatorVersion* version_in(const std::vector<OperatorVersion>& versions, int opset);

/// Whether the runtime takes a node: by its schema, its kernels, and what it was seen to refuse.
Judgement judge_node(const FileRules& rules, NodeView node);

} // namespace model_validator::rules
