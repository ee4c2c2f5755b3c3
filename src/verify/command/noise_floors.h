#pragma once

#include "verify/command/checker_choice.h"
#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <optional>
#include <vector>

namespace model_validator::verify {

using SampleFloors = std::vector<NoiseFloors>; ///< one a sample

/// Whether an output differs by more than its own size allows, and in nothing else.
bool fails_by_size_alone(const VerifyReport& report);

/// What the outputs of the reference cannot be held to less than: some roundings beside the numbers
/// that they are computed with, some times the reference's own distance from its float64 run, and,
/// where the model rounds to steps, what it changes by when its inputs are moved by some roundings.
SampleFloors noise_floors(const ComparedPair& pair, const RunResults& reference,
                          const std::optional<RunResults>& float64);

} // namespace model_validator::verify
