#pragma once

#include "verify/localize/candidate_match.h"

#include <vector>

namespace model_validator::verify {

/// Outputs of the reference that the candidate does not return at any place.
std::vector<std::size_t> differing_outputs(const Tolerances& tolerances,
                                           const std::vector<Nearest>& outputs);

/// Ops where an error begins, in the order they run.
struct ErrorSources {
  std::vector<std::size_t> ops;
  /// Without those that the candidate computes in another way, and rightly: it has what is computed
  /// from their results, and would not have it if they were wrong.
  std::vector<std::size_t> wrong;
};

/// The ops where an error begins that reaches a differing output: the candidate does not have
/// their result, though it has everything they read. Where no output differs by more than its own
/// noise, as one of rows that may lie elsewhere, the error of any op counts.
ErrorSources sources_of_error(const OpTrace& trace, const Tolerances& tolerances,
                              const CandidateMatch& match);

} // namespace model_validator::verify
