#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/reference_reruns.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Compares by the checker that the request names.
VerifyReport compare_results(const ComparedPair& pair, const RunResults& reference,
                             const RunResults& candidate);

/// What the reference would give if its numbers moved as a candidate's do from one run to others.
std::vector<RunResults> moved_alike(const ComparedPair& pair, const RunResults& reference,
                                    const RunResults& candidate,
                                    const std::vector<RunResults>& moved);

/// The same as `compare_results`, and where values differ by more than the rule allows, other runs
/// of the reference say what rounding, or the precision of the candidate, explains.
/// `--auto-tolerance` adds advice to that verdict.
/// @param runs  of this reference
VerifyReport judge(const ComparedPair& pair, const RunResults& reference,
                   const RunResults& candidate, ReferenceReruns& runs);

} // namespace model_validator::verify
