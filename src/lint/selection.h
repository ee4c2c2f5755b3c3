#pragma once

#include "rules/config.h"

#include <model_validator/registry.h>

#include <string_view>
#include <vector>

namespace model_validator {

/// True when the selector is the rule's name or code, the start of its code, or `all`.
bool selects(std::string_view selector, const RuleInfo& rule);

/// @throws Error (`unknown-rule`) with the nearest known name, for a selector that no rule answers.
void require_known(std::string_view selector, const Registry& registry);

/// The checks to run: those on by default, then each layer in turn.
/// @throws Error (`unknown-rule`)
std::vector<const Validator*> select_checks(const Registry& registry,
                                            const std::vector<Selection>& layers);

} // namespace model_validator
