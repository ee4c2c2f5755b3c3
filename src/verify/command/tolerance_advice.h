#pragma once

#include "verify/command/noise_floors.h"

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Gives each output its noise, and the tightest flags that it passes with. Flags that would
/// silence a difference which the reference's noise does not explain are not offered.
void add_tolerance_advice(VerifyReport& report, const SampleFloors& floors);

} // namespace model_validator::verify
