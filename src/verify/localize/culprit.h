#pragma once

#include "verify/localize/first_divergence.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// An op that introduces an error, and what the candidate has in its place.
struct Culprit {
  std::size_t op = 0;        ///< of the reference, the first that differs
  ResultId last;             ///< what the candidate computes as one ends with this result
  std::size_t candidate = 0; ///< what the candidate has there
  bool known = false;        ///< whether the candidate's result there was found
  bool cures = false;        ///< with the reference's result in its place every output agrees
  /// Its error when it is given the reference's own results.
  std::optional<double> introduced;
};

/// And the candidate as it is without it.
struct CorrectedCulprit {
  Culprit culprit;
  CandidateMatch corrected;
};

/// Everything that finding culprits works on.
struct Suspects {
  const ReferenceRun& reference;
  const OpTrace& trace;
  const Tolerances& tolerances;
  const ShowRun& run;
};

/// Finds which of the ops where an error begins is to blame, by replacing the candidate's result
/// with the reference's and continuing the run; then runs that op on the reference's own results.
/// Results that are replaced already stay so; the culprit's is added.
/// @param sources  not empty
CorrectedCulprit find_culprit(const Suspects& suspects, const ErrorSources& sources,
                              const CandidateMatch& match, Replacements& replaced);

} // namespace model_validator::verify
