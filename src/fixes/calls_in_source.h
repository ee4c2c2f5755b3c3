#pragma once

#include "fixes/draft.h"
#include "fixes/operation.h"

#include <model_validator/diagnostic.h>

#include <string>
#include <vector>

namespace model_validator::fixes {

/// The expressions that may be the operation of a rewrite.
std::vector<Operation> operations_of(const Rewrite& rewrite, const PythonFile& file);

/// The calls of a module where one ran: `self.relu(x)`, or `act(x)` where `act = self.relu`.
std::vector<Node> module_calls_at(const PythonFile& file, const SourceCall& call);

/// Where the model says that a call is. @throws Refusal where it says too little
std::vector<Node> expressions_of(const PythonFile& file, const SourceCall& call);

/// The method whose code runs the node. @throws Refusal
Method method_around(const Node& node);

inline constexpr const char* not_distinguished =
    "its line holds several such calls, which the model does not distinguish";

inline constexpr const char* no_such_call = "its line holds no such call";

/// Which of the expressions of a line a call is. @throws Refusal
template <class T> const T& choose(const std::vector<T>& candidates, const SourceCall& call) {
  if (candidates.empty()) throw Refusal{no_such_call};
  if (call.count % candidates.size() != 0) throw Refusal{not_distinguished};
  return candidates[call.number % candidates.size()];
}

inline constexpr const char* runs_again = "its line runs more than once in a run of its module";

/// @throws Refusal where one of the candidates runs more often than its module
inline void expect_one_run(std::size_t candidates, const SourceCall& call) {
  if (call.count / candidates > call.runs) throw Refusal{runs_again};
}

} // namespace model_validator::fixes
