#pragma once

#include "fixes/looks/child_flow.h"
#include "fixes/python/source_index.h"

#include <vector>

namespace model_validator::fixes {

/// Code that gets at the children of a module.
struct ChildAccess {
  Node expression;
  Node module;        ///< whose children; no node where the source does not show it
  bool deep = false;  ///< at those beneath them, too
  ChildValue value;   ///< of the expression
  Node function = {}; ///< that is called with each: `init` of `net.apply(init)`
  Node hook = {};     ///< a function that is run whenever any module is
  Node patched = {};  ///< a class of torch's whose methods are replaced
  /// A graph of the network, or a method that is called elsewhere: nothing follows it.
  bool shows_all = false;
};

/// All of a file: by the methods of modules, by name (`dir(net)`), in the dictionary that holds
/// them, by hooks of all modules, and in a graph of the network.
std::vector<ChildAccess> child_accesses(const Node& root, SourceIndex& index);

/// What any file with such code holds one of.
const std::vector<std::string>& texts_of_child_accesses();

} // namespace model_validator::fixes
