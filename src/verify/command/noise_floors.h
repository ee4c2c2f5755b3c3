#pragma once

#include "verify/command/checker_choice.h"
#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <optional>
#include <vector>

namespace model_validator::verify {

using SampleFloors = std::vector<NoiseFloors>; ///< one per sample

/// Whether an output differs by more than its own size allows, and in nothing else.
bool fails_by_size_alone(const VerifyReport& report);

/// The least difference that the reference's outputs can be held to: some roundings of the numbers
/// that they are computed with, a multiple of the reference's own distance from its float64 run,
/// and, where the model rounds to steps, its change when its inputs are moved by some roundings.
SampleFloors noise_floors(const ComparedPair& pair, const RunResults& reference,
                          const std::optional<RunResults>& float64);

} // namespace model_validator::verify
