#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <optional>

// Each of these runs models in a process of its own: a crash, a hang or exhausted memory there is
// reported, and does not end the run.
namespace model_validator::verify {

/// @throws Error where the request names a device that is not there
void check_device(const VerifyRequest& request);

/// @throws Error where the reference does not finish
RunResults run_reference(const ComparedPair& pair);

/// Adds to the report what else the candidate did.
/// @param reference_is_steady  a candidate need not be steadier than its reference
/// @returns nothing when the candidate did not finish; the report says why
std::optional<RunResults> run_candidate(const ComparedPair& pair, bool reference_is_steady,
                                        VerifyReport& report);

/// Runs the candidate in another way. @param optimise  whether the backend may change it
/// @throws Error where it does not finish, or the backend is not there
RunResults run_candidate_otherwise(const ComparedPair& pair, const std::string& backend,
                                   bool optimise);

/// Runs the reference with the weights of its layers rounded to int8.
/// @throws Error where that is impossible
RunResults run_reference_rounded(const ComparedPair& pair, bool per_channel);

/// Runs the reference with its inputs, weights and constants moved by some roundings.
/// @throws Error where that is impossible
RunResults run_reference_moved(const ComparedPair& pair, std::uint64_t seed);

/// Runs the reference in float64. @throws Error where that is impossible
RunResults run_reference_in_float64(const ComparedPair& pair);

/// One call of a sample.
struct CallId {
  std::size_t sample = 0;
  std::size_t step = 1;
};

/// Seeks the first op that differs, in one call.
void localize_difference(const ComparedPair& pair, const CallId& call, VerifyReport& report);

} // namespace model_validator::verify
