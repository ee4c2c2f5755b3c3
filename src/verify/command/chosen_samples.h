#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Runs the reference. Where the choice of samples is open, keeps those that it runs with, at other
/// sizes if it runs with none, and notes in the pair which were left out.
/// @throws Error where the reference does not finish
RunResults run_reference_on_samples(ComparedPair& pair);

/// Where caches are given back: keeps the tokens that the reference chose, which the candidate is
/// given, and what the reference took in each call.
void take_generated_calls(ComparedPair& pair, const RunResults& reference);

/// Reports the samples that the candidate does not run with.
/// @returns whether it runs with any
bool report_failed_samples(const ComparedPair& pair, const RunResults& candidate,
                           VerifyReport& report);

} // namespace model_validator::verify
