#pragma once

#include "requests/calls.h"

#include <model_validator/verify/value.h>

#include <string_view>

namespace model_validator {

/// The checkers' verdict on two results; `first_failure` and a text for each format.
/// @throws Error (`bad-options`)
Reply compare_values(const verify::Value& reference, const verify::Value& candidate,
                     std::string_view options);

/// The verdict of dynamo's `same` on them, as JSON.
/// @param fp64  the reference in float64; may be null @throws Error (`bad-options`)
Reply same_values(const verify::Value& reference, const verify::Value& result,
                  const verify::Value* fp64, std::string_view options);

} // namespace model_validator
