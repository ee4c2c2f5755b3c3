#pragma once

#include <model_validator/graph_builder.h>

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator {

/// A parameter or buffer as a module holds or uses it.
struct OwnedTensor {
  ModuleId module = none;
  std::string name;
  std::uint64_t storage = 0;
  bool conclusive = true; ///< false if equal storage may be chance and proves nothing alone
};

/// The primary of every module: itself, or among its copies the one with the shortest path. Copies
/// have the same class and, name by name, the same parameters and buffers, in them and beneath.
/// Modules beneath a copy are copies as well; a module without any tensors is recognised in no
/// other way. A primary without a class name takes that of its copies.
std::vector<ModuleId> alias_primaries(std::vector<Module>& modules,
                                      const std::vector<OwnedTensor>& owned);

/// Merges the paths that lead to one Python module: same class and, name by name, the same
/// parameters and buffers, in it and beneath. Modules beneath them are merged as well. Modules
/// without any tensors are left alone, unless an enclosing module is shared.
///
/// @returns the new module for each old one
std::vector<ModuleId> merge_aliases(GraphBuilder& graph, const std::vector<OwnedTensor>& owned);

/// Merges each module into its primary, which is its own primary, throughout the graph, but for its
/// ops, which the caller renumbers.
/// @returns the new module for each old one
std::vector<ModuleId> merge_modules(GraphBuilder& graph, const std::vector<ModuleId>& primary);

} // namespace model_validator
