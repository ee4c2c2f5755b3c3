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
  bool telling = true; ///< false where equal storage may be chance, so that it proves nothing alone
};

/// For every module the one that it is: itself, or the primary of its copies, the one with the
/// shortest path. Copies have the same class and, name by name, the same parameters and buffers, in
/// them and beneath. What stands beneath a copy is a copy as well; a module without any tensors is
/// recognised in no other way. A primary without a class name takes that of its copies.
std::vector<ModuleId> alias_primaries(std::vector<Module>& modules,
                                      const std::vector<OwnedTensor>& owned);

/// Brings together the paths that lead to one Python module: same class and, name by name, the same
/// parameters and buffers, in it and beneath. What stands beneath them is the same module as well.
/// Modules without any tensors are left alone, unless a module around them is shared.
///
/// @returns for every module before, the module it is now
std::vector<ModuleId> merge_aliases(GraphBuilder& graph, const std::vector<OwnedTensor>& owned);

} // namespace model_validator
