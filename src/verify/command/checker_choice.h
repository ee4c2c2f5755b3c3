#pragma once

#include <model_validator/verify/checkers.h>
#include <model_validator/verify/request.h>

#include <map>
#include <memory>
#include <string>

namespace model_validator::verify {

using NoiseFloors = std::map<std::string, NoiseFloor>; ///< by output

/// @throws Error (`bad-tolerance`) for one that cannot be understood, (`usage`) for one that the
/// checker does not use
void check_tolerances(const VerifyRequest& request);

/// The value checker that `--checker` and the tolerances ask for. `same` has none: it judges the
/// whole result. @param floors  for the default checker
/// @param quantised  whether the candidate is a quantised copy @throws Error (`usage`)
std::shared_ptr<const ValueChecker> choose_checker(const VerifyRequest& request,
                                                   const NoiseFloors& floors, bool quantised);

/// Whether a quantised copy, or another candidate, is judged by its signal-to-noise ratio: where
/// that is asked for, or the copy is quantised and nothing else is asked for.
bool is_judged_by_sqnr(const VerifyRequest& request, bool quantised);

} // namespace model_validator::verify
