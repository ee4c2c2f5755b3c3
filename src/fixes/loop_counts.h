#pragma once

#include "fixes/draft.h"
#include "fixes/python/scope.h"

#include <set>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// The parameters of a function that say how often its loops run: `n` of `for _ in range(n)`.
std::vector<std::string> counting_parameters(const Node& function);

/// What a call says of how often the loops of its function run, in the words of a constructor.
struct LoopCounts {
  std::string arguments;       ///< `n=self.iterations`
  std::set<std::string> known; ///< the parameters that they are for
};

/// @param part  of the class whose method the call stands in; is told what it touches
LoopCounts loop_counts(const Node& function, const Node& call, const Method& method, Draft& part);

} // namespace model_validator::fixes
