#pragma once

#include <model_validator/registry.h>

#include <vector>

namespace model_validator {

/// Findings of the tool itself, which no validator makes.
inline constexpr RuleInfo unused_suppression_rule{
    "unused-suppression", "MET001", "a suppression that hides nothing, or that has expired"};
inline constexpr RuleInfo internal_error_rule{
    "internal-error", "MET002", "a check stopped because of a fault in the tool", Severity::error};
inline constexpr RuleInfo missing_weights_rule{
    "missing-weights", "MET003", "weights that the file keeps elsewhere are not there",
    Severity::error};

std::vector<RuleInfo> tool_rules();

/// Every rule: the checks' and the tool's own, sorted by code.
std::vector<RuleInfo> all_rules(const Registry& registry);

} // namespace model_validator
