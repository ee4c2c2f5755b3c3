#pragma once

#include "verify/command/compared_pair.h"

#include <model_validator/verify/report.h>

#include <string>
#include <vector>

// What the files say of ops that runs have found: where they are, and how the files differ there.
namespace model_validator::verify {

/// An op of the reference, and what the candidate has in its place, by the names that runs show.
struct Suspect {
  std::string op;
  std::string result;       ///< what it yields, where the op's own name is not the reference's
  std::string in_its_place; ///< empty: not known
  double greatest = 0;      ///< magnitude of the reference's values there; 0: not known
  std::vector<std::string> region = {};           ///< what differs with it, as one
  std::vector<std::string> candidate_region = {}; ///< and what the candidate has for that
  std::vector<ConstantResult> constants = {};     ///< that the ops of the region read
};

/// For each how the files differ there, in words; empty where they do not, or it is not known.
std::vector<std::string> causes_of(const ComparedPair& pair, const std::vector<Suspect>& suspects);

/// Completes the ops of a report: the module and the line of Python of each, its op in the graph,
/// and of those that differ the cause. Notes the weights that differ, where results do: where both
/// files hold the tensors, one that differs says more than the op that uses it.
void name_places_and_causes(const ComparedPair& pair, bool differs, VerifyReport& report);

} // namespace model_validator::verify
