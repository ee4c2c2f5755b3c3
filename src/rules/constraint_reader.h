#pragma once

#include "rules/toml_reader.h"

#include <model_validator/target_profile.h>

namespace model_validator::rules {

/// Reads one `[[constraints]]` of a profile. @throws Error for a constraint that makes no sense:
/// without a condition, or with one on an argument that is not named
OperatorConstraint read_constraint(const TableReader& reader);

/// A list of values of an argument; empty where the key is absent.
std::vector<ConstraintValue> constraint_values(const TableReader& reader, std::string_view key);
/// A list of whole numbers from 0 on; empty where the key is absent.
std::vector<int> whole_numbers(const TableReader& reader, std::string_view key);

} // namespace model_validator::rules
