#pragma once

#include "verify/localize/culprit.h"

#include <model_validator/verify/report.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// What both sides compute between values that agree and the first that does not.
struct DifferingRegion {
  std::vector<std::string> reference;    ///< names of ops
  std::vector<std::string> candidate;    ///< names of results
  std::vector<ConstantResult> constants; ///< that the reference's ops read
};

/// Of a candidate whose place for the culprit is not known, what it computes first of the values
/// that the culprit reads.
DifferingRegion region_of(const Culprit& culprit, const OpTrace& trace,
                          const CandidateMatch& match);

} // namespace model_validator::verify
