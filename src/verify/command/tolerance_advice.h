#pragma once

#include "verify/command/results.h"

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Gives each output its noise, |float64 run − reference|, and the tightest flags it passes with.
void add_tolerance_advice(VerifyReport& report, const RunResults& reference,
                          const RunResults& float64);

} // namespace model_validator::verify
