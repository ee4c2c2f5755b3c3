#pragma once

#include <model_validator/validator.h>

#include <string>
#include <vector>

namespace model_validator::cli {

/// Every rule: the checks' and the tool's own, sorted by code.
std::vector<RuleInfo> all_rules();

/// By name or code, in any case. @throws Error (`unknown-rule`) with the nearest known name
RuleInfo find_rule(const std::string& name_or_code);

/// The rule's page, as Markdown; its summary where the page is not installed.
std::string rule_page(const RuleInfo& rule);

} // namespace model_validator::cli
