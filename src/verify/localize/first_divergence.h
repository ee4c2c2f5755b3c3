#pragma once

#include "verify/localize/candidate_match.h"

#include <vector>

namespace model_validator::verify {

/// Outputs of the reference that the candidate does not return at any place.
std::vector<std::size_t> differing_outputs(const Tolerances& tolerances,
                                           const std::vector<Nearest>& outputs);

/// The ops where an error begins that reaches a differing output: the candidate does not have
/// their result, though it has everything they read. In the order they run.
std::vector<std::size_t> sources_of_error(const OpTrace& trace, const Tolerances& tolerances,
                                          const CandidateMatch& match);

} // namespace model_validator::verify
