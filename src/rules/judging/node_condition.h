#pragma once

#include "rules/judging/file_node.h"

#include <model_validator/file_rules.h>

namespace model_validator::rules {

enum class Holds : char { no, unknown, yes };

/// Whether all conditions of a refusal hold for a node; unknown where that depends on what the file
/// does not say.
Holds holds(const NodeRefusal& refusal, const FileNode& node);

} // namespace model_validator::rules
