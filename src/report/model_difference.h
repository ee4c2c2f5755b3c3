#pragma once

#include "introspection/model_diff.h"

#include <iosfwd>

namespace model_validator {

/// What `diff` says, for people.
void write_difference_text(std::ostream& out, const ModelDifference& difference);
/// As one JSON object, `model_validator-diff/1`.
void write_difference_json(std::ostream& out, const ModelDifference& difference);

} // namespace model_validator
