#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <functional>
#include <optional>

namespace model_validator::verify {

/// Compares the results of another run with the reference's, as the candidate's were.
/// @param moved  further runs that show what explains a difference; none: rounding alone
using CompareRun =
    std::function<VerifyReport(const RunResults&, const std::vector<RunResults>& moved)>;

/// What a quantised ONNX file gives as it is written, whatever the kernels of this machine make of
/// it; nothing where that is no question, or cannot be told.
std::optional<RunResults> results_as_written(const ComparedPair& pair, VerifyReport& report);

/// Says what the kernels of this machine lose of the file.
/// @param on_machine  their results, compared
/// @param report  of the results as written
void compare_machine(const ComparedPair& pair, const VerifyReport& on_machine,
                     VerifyReport& report);

/// Runs a copy of ONNX or LiteRT with nothing rounded and the reference's weights in place of those
/// in few bits: what is off then is no rounding, and if nothing is, every weight is compared with
/// the reference's own.
/// @param compare  as models of equal precision
/// @returns whether nothing but the ranges of values, where the file states them, can be wrong
bool compare_unrounded_copy(const ComparedPair& pair, const CompareRun& compare,
                            VerifyReport& report);

/// Compares the weights in few bits of a program that cannot be run with nothing rounded, and
/// reports those that are not the reference's where most others are.
void compare_stored_weights(const ComparedPair& pair, VerifyReport& report);

/// Reports layers, or values, that keep less than their own rounding explains.
/// @param ranges_alone  only ranges of values can be wrong, which inputs that are made up may
/// leave;
///     where each value is then as the file's steps explain, so are the outputs
void report_lost_layers(const ComparedPair& pair, bool ranges_alone, VerifyReport& report);

} // namespace model_validator::verify
