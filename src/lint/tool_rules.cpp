#include "lint/tool_rules.h"

namespace model_validator {

const RuleInfo& unused_suppression_rule() {
  static const RuleInfo rule{"unused-suppression",
                             "MET001",
                             "validate_for_unused_suppressions",
                             "a suppression that hides nothing, or whose time is over",
                             Severity::warning,
                             true};
  return rule;
}

const RuleInfo& internal_error_rule() {
  static const RuleInfo rule{"internal-error",
                             "MET002",
                             "validate_for_internal_errors",
                             "a check stopped because of a fault in the tool",
                             Severity::error,
                             true};
  return rule;
}

std::vector<RuleInfo> tool_rules() { return {unused_suppression_rule(), internal_error_rule()}; }

} // namespace model_validator
