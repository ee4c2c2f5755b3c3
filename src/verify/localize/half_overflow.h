#pragma once

#include "verify/localize/reference_run.h"

#include <optional>
#include <string>

namespace model_validator::verify {

/// The first op of a file that makes finite numbers into more than float16 can hold; none where no
/// op does. Its result is not seen where a runtime computes float16 in float32.
/// @throws Error (`cannot-localize`) when the runtime shows nothing of what it computes
std::optional<std::string> first_overflow(const ShowRun& model);

} // namespace model_validator::verify
