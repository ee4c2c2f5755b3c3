#pragma once

#include "verify/run/execution.h"
#include "verify/run/narrowing.h"

#include <ATen/core/Tensor.h>

namespace model_validator::verify {

/// Runs a float32 model with its weights and results rounded.
/// @param seed  0: to the nearest; else each result is rounded up or down at random
std::unique_ptr<Execution> narrow_execution(const Narrowing& narrowing, std::uint64_t seed);

/// A weight rounded to whole numbers times scales, row by row.
at::Tensor rounded_weight(const at::Tensor& weight, const Narrowing& narrowing);

} // namespace model_validator::verify
