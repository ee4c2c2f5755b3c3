#pragma once

#include <model_validator/registry.h>

#include <vector>

namespace model_validator {

/// Findings of the tool itself, which no validator makes.
const RuleInfo& unused_suppression_rule();
const RuleInfo& internal_error_rule();
const RuleInfo& missing_weights_rule();
std::vector<RuleInfo> tool_rules();

/// Every rule: the checks' and the tool's own, sorted by code.
std::vector<RuleInfo> all_rules(const Registry& registry);

} // namespace model_validator
