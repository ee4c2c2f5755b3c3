#pragma once

#include <model_validator/verify/report.h>

#include <cstddef>
#include <string>

namespace model_validator::verify {

/// `logits`, with the sample and the step where there are several.
std::string title_of(const OutputReport& output, const VerifyReport& report);

/// Outputs that do not pass.
std::size_t failures(const VerifyReport& report);

} // namespace model_validator::verify
