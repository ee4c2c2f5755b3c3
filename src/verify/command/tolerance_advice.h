#pragma once

#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <optional>

namespace model_validator::verify {

/// How far a result of the reference is from the same result in float64.
struct ReferenceNoise {
  double value = 0; ///< max|float64 − reference|
  double scale = 0; ///< max|float64|
};
/// Nothing for a result that is not floating-point, or has another shape in float64.
std::optional<ReferenceNoise> noise_of(const Tensor& reference, const Tensor& float64);

/// Gives each output its noise, |float64 run − reference|, and the tightest flags it passes with.
void add_tolerance_advice(VerifyReport& report, const RunResults& reference,
                          const RunResults& float64);

} // namespace model_validator::verify
