#pragma once

#include "files/process/model_reading.h"

#include <model_validator/verify/request.h>

namespace model_validator::cli {

/// Lints the reference before it is run. Findings of severity error are shown on standard error.
/// @returns false when there are any @throws Error when the file cannot be read
bool lint_allows(const verify::VerifyRequest& request, const process::ReadingPolicy& policy);

} // namespace model_validator::cli
