#pragma once

#include "verify/localize/reference_run.h"

#include <optional>
#include <string>

namespace model_validator::verify {

/// An op of a copy in float16 that hardware computes otherwise than a runtime in float32.
struct HalfLoss {
  std::string op;
  bool divides = false; ///< by what vanishes in float16; else its results are too large for it
};

/// The first op of a file that makes finite numbers into more than float16 can hold, or divides by,
/// or takes the logarithm of, what float16 makes 0; none where no op does.
/// @throws Error (`cannot-localize`) when the runtime shows nothing of what it computes
std::optional<HalfLoss> first_half_loss(const ShowRun& model);

} // namespace model_validator::verify
