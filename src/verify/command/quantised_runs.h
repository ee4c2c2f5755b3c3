#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <functional>

namespace model_validator::verify {

/// Compares the results of another run with the reference's, as the candidate's were.
using CompareRun = std::function<VerifyReport(const RunResults&)>;

/// Runs a quantised ONNX file also without the runtime's optimisations and, where nobody named a
/// backend, by a second runtime that is there, for a note.
void compare_other_runs(const ComparedPair& pair, const CompareRun& compare, VerifyReport& report);

/// Puts the reference's weights in place of those in few bits, where weights alone are so: what is
/// off then is no rounding, and if nothing is, every weight is compared with the reference's own.
/// @param compare  as models of equal precision
void compare_restored_copy(const ComparedPair& pair, const CompareRun& compare,
                           VerifyReport& report);

/// Reports layers that keep less than their own rounding explains.
void report_lost_layers(const ComparedPair& pair, VerifyReport& report);

} // namespace model_validator::verify
