#pragma once

#include <model_validator/diagnostic.h>

#include <string>
#include <vector>

namespace model_validator {

/// Findings that one change would remove: the same rule at the same line of Python, for the same
/// type of op, in as many modules as share that line.
struct Cause {
  const Diagnostic* first = nullptr;  ///< the one that is shown
  std::vector<const Diagnostic*> all; ///< itself included
};

/// Which findings a report shows one by one.
struct Shown {
  bool suppressed = false; ///< they never share a cause with open ones
  bool installed = false;  ///< those in code that the user cannot edit
};

/// Groups findings by cause, in the order in which the causes first appear.
std::vector<Cause> causes_of(const std::vector<Diagnostic>& findings, Shown shown);

/// `the same in 7 other modules: `layer1.1.relu`, …, and 4 more; also: …`, with what else is said
/// of the first, such as that another target refuses it; empty where there is no other.
/// @param most  names at most; 0: all
std::string others_note(const Cause& cause, std::size_t most);

} // namespace model_validator
