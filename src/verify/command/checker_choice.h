#pragma once

#include <model_validator/verify/checkers.h>
#include <model_validator/verify/request.h>

#include <memory>

namespace model_validator::verify {

/// @throws Error (`bad-tolerance`) for one that cannot be understood, (`usage`) for one that the
/// checker does not use
void check_tolerances(const VerifyRequest& request);

/// The value checker that `--checker` and the tolerances ask for. `same` has none: it judges the
/// whole result.
/// @param quantised  whether the candidate is a quantised copy @throws Error (`usage`)
std::shared_ptr<const ValueChecker> choose_checker(const VerifyRequest& request, bool quantised);

/// The same for a candidate of any kind, asked for the least tolerance with which it passes.
std::shared_ptr<const ValueChecker> checker_of_advice(const VerifyRequest& request);

/// Whether nothing but the default's own rules decides.
bool is_judged_by_defaults(const VerifyRequest& request);

/// Whether a quantised copy, or another candidate, is judged by its signal-to-noise ratio: where
/// that is asked for, or the copy is quantised and nothing else is asked for.
bool is_judged_by_sqnr(const VerifyRequest& request, bool quantised);

} // namespace model_validator::verify
