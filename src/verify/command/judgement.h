#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/noise_floors.h"
#include "verify/command/other_runs.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Compares by the checker that the request names. @param floors  one per call; may be empty
VerifyReport compare_results(const ComparedPair& pair, const RunResults& reference,
                             const RunResults& candidate, const SampleFloors& floors);

/// The same, and where values differ by more than the rule allows, other runs of the reference
/// say what rounding, or the precision of the candidate, explains.
/// @param runs  of this reference
VerifyReport judge(const ComparedPair& pair, const RunResults& reference,
                   const RunResults& candidate, OtherRuns& runs);

} // namespace model_validator::verify
