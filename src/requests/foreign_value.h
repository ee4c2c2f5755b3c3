#pragma once

#include <model_validator/c_api.h>
#include <model_validator/verify/value.h>

namespace model_validator {

/// What a caller describes in C, as a value that views the caller's arrays.
/// @throws Error (`bad-value`)
verify::Value value_from(const mv_value& value);

} // namespace model_validator
