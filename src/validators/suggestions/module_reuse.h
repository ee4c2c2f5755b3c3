#pragma once

#include <model_validator/connected_graph.h>

#include <set>
#include <vector>

namespace model_validator {

/// The module whose code contains a call of `module`; for a function's code, the module that called
/// the function. Where the file does not say, the nearest module above that is called itself.
ModuleId caller_of(const ConnectedGraph& graph, ModuleId module, const CallSite& site);

/// All of them, each once.
std::set<ModuleId> callers_of(const ConnectedGraph& graph, ModuleId module);

/// The module whose code makes all calls of this one; `none` where several do, or none is known.
ModuleId only_caller(const ConnectedGraph& graph, ModuleId module);

/// Whether the module is called often only because the one that calls it is.
bool explained_by_caller(const ConnectedGraph& graph, ModuleId module);

/// Two calls that can both happen in one run, the earlier first; the same call twice for one that a
/// loop repeats. Pointers into the module; null where it is not known from where it is called.
struct RepeatedCall {
  const CallSite* first = nullptr;
  const CallSite* second = nullptr;
};
RepeatedCall repeated_call(const ConnectedGraph& graph, const Module& module);

/// By module: whether it, or one below it, has parameters or buffers.
std::vector<bool> modules_with_state(const ConnectedGraph& graph);

} // namespace model_validator
