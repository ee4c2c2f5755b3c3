#pragma once

#include "rules/toml_reader.h"

#include <model_validator/target_profile.h>

namespace model_validator::rules {

/// The tables `[op_type_map]` and `[functional]` of a file.
ModuleTables read_module_tables(const TableReader& file);

} // namespace model_validator::rules
