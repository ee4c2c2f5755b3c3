#pragma once

#include <model_validator/verify/checkers.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// NaN and infinities must be at the same places on both sides.
Verdict check_non_finite(const Metrics& metrics);

/// Every element must be equal.
Verdict check_exact(const Metrics& metrics);

/// No element may violate `rule`, the first that was counted.
/// @param equal_nan  NaN at the same place on both sides is no violation
Verdict check_close(const Metrics& metrics, const Closeness& rule, bool equal_nan);

/// `framework_model=…, compiled_model=…`
std::string both_previews(const ComparedOutput& output);

/// The lines in which TT-Forge says how far off allclose was.
std::string allclose_details(const ComparedOutput& output, double rtol, double atol);

/// Scale, bias and leverage, for where the PCC passes and allclose does not.
void note_what_pcc_misses(const Metrics& metrics, std::vector<std::string>& notes);

} // namespace model_validator::verify
