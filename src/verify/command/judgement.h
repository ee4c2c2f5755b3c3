#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/reference_reruns.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Compares by the checker that the request names.
VerifyReport compare_results(const ComparedPair& pair, const RunResults& reference,
                             const RunResults& candidate);

/// The same, and where values differ by more than the rule allows, other runs of the reference
/// say what rounding, or the precision of the candidate, explains. `--auto-tolerance` adds advice
/// to that verdict.
/// @param runs  of this reference
VerifyReport judge(const ComparedPair& pair, const RunResults& reference,
                   const RunResults& candidate, ReferenceReruns& runs);

} // namespace model_validator::verify
