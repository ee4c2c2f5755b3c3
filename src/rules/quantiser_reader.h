#pragma once

#include "rules/toml_reader.h"

#include <model_validator/quantiser_rules.h>

#include <memory>

namespace model_validator::rules {

/// Reads the `[[quantiser]]` tables of a profile; null where there are none.
std::shared_ptr<const QuantiserRules> read_quantiser_rules(const TableReader& file);

} // namespace model_validator::rules
