#pragma once

#include "verify/localize/candidate_match.h"

#include <vector>

namespace model_validator::verify {

/// A result of the reference and one of the candidate that may take its place.
struct Counterpart {
  ResultId result;
  std::size_t candidate = 0;
  std::size_t steps = 0; ///< of the candidate, from what the op reads
};

/// What the candidate may compute in place of an op whose result it does not have: results of the
/// same shape, equal to nothing else, and computed from what the op reads. Where a compiler
/// computes several ops as one, the place is that of one of the following ops. The likeliest come
/// first: those of an operator of the same type, the nearest among them.
std::vector<Counterpart> counterparts_of(std::size_t op, const OpTrace& trace,
                                         const Tolerances& tolerances, const CandidateMatch& match);

/// Whether an operator of the candidate goes by the name of an op's type: `BatchNormalization`, or
/// `Add bn/aten::batch_norm`, by that of `batch_norm`.
bool is_of_type(const std::string& candidate_op, const std::string& type);

} // namespace model_validator::verify
