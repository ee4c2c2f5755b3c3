#pragma once

#include <model_validator/validator.h>

#include <vector>

namespace model_validator {

/// Findings of the tool itself, which no validator makes.
const RuleInfo& unused_suppression_rule();
const RuleInfo& internal_error_rule();
std::vector<RuleInfo> tool_rules();

} // namespace model_validator
