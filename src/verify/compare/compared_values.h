#pragma once

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Fails outputs that agree only because none of their values says anything: what is empty or NaN
/// throughout in every call, and what is zero or constant throughout where no output is anything
/// else. Where others are, that is noted.
/// @param allowed  such outputs may pass
void require_compared_values(VerifyReport& report, bool allowed);

} // namespace model_validator::verify
