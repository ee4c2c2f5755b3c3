#pragma once

#include "rules/config.h"

#include <model_validator/registry.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// True when the selector is the rule's name or code, the start of its code, or `all`.
bool selects(std::string_view selector, const RuleInfo& rule);

/// @throws Error (`unknown-rule`) with the nearest known name, for a selector that matches no rule.
void require_known(std::string_view selector, const Registry& registry);

/// Whether the selector matches a rule that there is.
bool is_known(std::string_view selector, const Registry& registry);

/// The name or code of a rule that a misspelt selector is nearest to; empty where none is near.
std::string nearest_rule(std::string_view selector, const Registry& registry);

/// Whether a rule is on: by default, then as each layer in turn says.
bool is_selected(const RuleInfo& rule, const std::vector<Selection>& layers);

} // namespace model_validator
