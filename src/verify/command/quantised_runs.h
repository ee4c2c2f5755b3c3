#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <functional>

namespace model_validator::verify {

/// Compares the results of another run with the reference's, as the candidate's were.
using CompareRun = std::function<VerifyReport(const RunResults&)>;

/// Runs a quantised ONNX file also without the runtime's optimisations and, where nobody named a
/// backend, by a second runtime that is there. What fails in one of them is a failure.
void compare_other_runs(const ComparedPair& pair, const CompareRun& compare, VerifyReport& report);

/// Where the candidate's ratio is low: notes what the reference keeps with its weights alone in
/// int8, the most that this way of storing them can give.
void note_what_weights_keep(const ComparedPair& pair, const CompareRun& compare,
                            VerifyReport& report);

} // namespace model_validator::verify
