#pragma once

#include <model_validator/registry.h>

#include <vector>

namespace model_validator {

/// Findings of the tool itself, which no validator makes.
inline constexpr RuleInfo unused_suppression_rule{
    .name = "unused-suppression",
    .code = "MET001",
    .summary = "a suppression that hides nothing, or that has expired",
    .about_code = false};
inline constexpr RuleInfo internal_error_rule{.name = "internal-error",
                                              .code = "MET002",
                                              .summary =
                                                  "a check stopped because of a fault in the tool",
                                              .severity = Severity::error,
                                              .about_code = false};
inline constexpr RuleInfo missing_weights_rule{
    .name = "missing-weights",
    .code = "MET003",
    .summary = "weights that the file keeps elsewhere are not there",
    .severity = Severity::error,
    .about_code = false};

std::vector<RuleInfo> tool_rules();

/// Every rule: the checks' and the tool's own, sorted by code.
std::vector<RuleInfo> all_rules(const Registry& registry);

} // namespace model_validator
