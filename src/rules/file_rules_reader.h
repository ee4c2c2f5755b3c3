#pragma once

#include "rules/toml_reader.h"

#include <model_validator/file_rules.h>

#include <set>
#include <string>

namespace model_validator::rules {

using RemovedOperators = std::set<std::string, std::less<>>;

/// Reads `[sentences]`, `[types]`, `[versions]`, `[[refused]]` and `[[releases]]` of a profile into
/// its rules.
/// @param removed  by the target's own passes, for entries on all of these
/// @throws Error for what makes no sense
void read_file_rules(const TableReader& file, const RemovedOperators& removed, FileRules& rules);

} // namespace model_validator::rules
