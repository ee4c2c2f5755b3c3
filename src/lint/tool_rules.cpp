#include "lint/tool_rules.h"

#include <algorithm>

namespace model_validator {

const RuleInfo& unused_suppression_rule() {
  static const RuleInfo rule{"unused-suppression", "MET001",
                             "a suppression that hides nothing, or that has expired",
                             Severity::warning, true};
  return rule;
}

const RuleInfo& internal_error_rule() {
  static const RuleInfo rule{"internal-error", "MET002",
                             "a check stopped because of a fault in the tool", Severity::error,
                             true};
  return rule;
}

const RuleInfo& missing_weights_rule() {
  static const RuleInfo rule{"missing-weights", "MET003",
                             "weights that the file keeps elsewhere are not there", Severity::error,
                             true};
  return rule;
}

std::vector<RuleInfo> tool_rules() {
  return {unused_suppression_rule(), internal_error_rule(), missing_weights_rule()};
}

std::vector<RuleInfo> all_rules(const Registry& registry) {
  std::vector<RuleInfo> rules = tool_rules();
  for (const auto& validator : registry.validators()) rules.push_back(validator->info());
  std::sort(rules.begin(), rules.end(),
            [](const RuleInfo& a, const RuleInfo& b) { return a.code < b.code; });
  return rules;
}

} // namespace model_validator
