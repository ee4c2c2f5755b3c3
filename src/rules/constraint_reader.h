#pragma once

#include "rules/toml_reader.h"

#include <model_validator/target_profile.h>

namespace model_validator::rules {

/// Reads one `[[constraints]]` of a profile. @throws Error for a constraint that makes no sense:
/// without a condition, or with one on an argument that is not named
OperatorConstraint read_constraint(const TableReader& reader);

} // namespace model_validator::rules
