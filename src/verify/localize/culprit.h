#pragma once

#include "verify/localize/candidate_match.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// An op that introduces an error, and what the candidate has in its place.
struct Culprit {
  std::size_t op = 0;        ///< of the reference, the first that differs
  ResultId last;             ///< what the candidate computes as one ends with this result
  std::size_t candidate = 0; ///< what the candidate has there
  bool known = false;        ///< whether it was found what the candidate has there
  bool cures = false;        ///< with the reference's result in its place every output agrees
  /// Its error when it is fed with the reference's own results.
  std::optional<double> introduced;
};

/// Everything that finding culprits works on.
struct Suspects {
  const torch::jit::Module& reference;
  const std::vector<c10::IValue>& inputs;
  const OpTrace& trace;
  const Tolerances& tolerances;
  const RunCandidate& run;
};

/// Finds which of the ops where an error begins is to blame, by putting the reference's result in
/// place of the candidate's and running the candidate on; and feeds that op with the reference's
/// own results. What is replaced already stays so; the culprit's result is added.
/// @param sources  not empty
Culprit find_culprit(const Suspects& suspects, const std::vector<std::size_t>& sources,
                     const CandidateMatch& match, Replacements& replaced);

} // namespace model_validator::verify
