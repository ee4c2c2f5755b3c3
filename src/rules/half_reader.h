#pragma once

#include "rules/toml_reader.h"

#include <model_validator/half_rules.h>

#include <memory>

namespace model_validator::rules {

/// Reads `[half]` and the `[[half_breaks]]` of a profile; null where there is none.
std::shared_ptr<const HalfRules> read_half_rules(const TableReader& file);

} // namespace model_validator::rules
