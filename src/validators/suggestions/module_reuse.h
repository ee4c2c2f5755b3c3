#pragma once

#include <model_validator/connected_graph.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator {

/// By the path of each module that has this one as its child: the name of that attribute. A shared
/// module has several: `{"": "act", "block": "relu"}` for `act` and `block.relu`.
std::map<std::string, std::string> owner_attributes(const Module& module);

/// `relu` of `layer1.relu`.
std::string last_part(const std::string& path);

/// Counts how many of the given regions can never run together with another: they are in different
/// arms of one `if`. Each step costs the depth of the region, however many there are.
class ExclusiveRegions {
public:
  explicit ExclusiveRegions(const ConnectedGraph& graph) : graph_(graph) {}

  /// @param region  may be `none`, which excludes nothing
  void add(RegionId region);
  std::size_t exclusive_with(RegionId region) const;

private:
  const ConnectedGraph& graph_;
  std::map<OpId, std::array<std::size_t, 2>> arms_; ///< by `if`: what lies in its arms
};

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
