#pragma once

#include <model_validator/validator.h>

#include <nlohmann/json.hpp>

#include <memory>
#include <vector>

namespace model_validator {

/// Checks that ran outside this library, over the graph as JSON: each states its rule and its
/// findings. Here they are validators like the others, so that selection, severities, suppressions
/// and baselines apply to them.
/// @param rules  `[{"name", "code", "summary", "severity", "on_by_default", "findings":
/// [{"message", "severity", "module", "aliases", "parent", "op": {"name", "type"}, "locations",
/// "help", "notes"}]}]`; all but name, code and message may be left out
/// @throws Error (`bad-options`)
std::vector<std::shared_ptr<const Validator>> recorded_rules(const nlohmann::json& rules);

} // namespace model_validator
