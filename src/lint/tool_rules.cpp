#include "lint/tool_rules.h"

#include <algorithm>

namespace model_validator {

std::vector<RuleInfo> tool_rules() {
  return {unused_suppression_rule, internal_error_rule, missing_weights_rule};
}

std::vector<RuleInfo> all_rules(const Registry& registry) {
  std::vector<RuleInfo> rules = tool_rules();
  for (const auto& validator : registry.validators()) rules.push_back(validator->info());
  std::ranges::sort(rules, [](const RuleInfo& a, const RuleInfo& b) { return a.code < b.code; });
  return rules;
}

} // namespace model_validator
