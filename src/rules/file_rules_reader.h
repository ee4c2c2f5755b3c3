#pragma once

#include "rules/toml_reader.h"

#include <model_validator/file_rules.h>

namespace model_validator::rules {

/// Reads `[sentences]`, `[types]`, `[versions]`, `[[refused]]` and `[[releases]]` of a profile into
/// its rules.
/// @throws Error for what makes no sense
void read_file_rules(const TableReader& file, FileRules& rules);

} // namespace model_validator::rules
