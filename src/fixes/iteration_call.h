#pragma once

#include "fixes/draft.h"
#include "fixes/module_loop.h"

#include <string>
#include <vector>

namespace model_validator::fixes {

inline constexpr const char* is_made_later = "it is in a loop over what its class creates later";

/// How an iteration of a loop calls its own module.
struct IterationCall {
  std::string callee;          ///< `add`, or `self.adds[i]`
  std::vector<TextEdit> edits; ///< of the `for`, which runs over these modules as well
};

/// @param name       of one module: `add`
/// @param attribute  that holds them all, a plural of the name: `adds`
/// @param method     whose code it is
/// @param user       the expression that calls one
/// @param compiled   TorchScript reads it, whose `zip` is strict and has no argument for it
/// @throws Refusal where names are taken
IterationCall call_per_iteration(const ModuleLoop& loop, const std::string& name,
                                 const std::string& attribute, const Method& method,
                                 const Node& user, const PythonFile& file, bool compiled);

/// `map(f, x)` with a module for each element: `map(lambda each, module: module(each), x,
/// self.fs)`. The callee stands for `f`.
IterationCall map_of_modules(const Node& call, const std::string& modules);

/// `adds` for `add`.
std::string plural(const std::string& name);

/// The expression that makes as many modules as the loop has iterations. Notes what it touches.
std::string one_per_iteration(const std::string& constructor, const ModuleLoop& loop, Draft& draft);

} // namespace model_validator::fixes
