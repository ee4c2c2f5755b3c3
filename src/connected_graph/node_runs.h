#pragma once

#include <model_validator/program.h>

#include <cstddef>
#include <vector>

namespace model_validator {

/// Adjacent nodes, `begin` to `end`, that become one op.
struct NodeRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  ModuleCall leaf; ///< of torch.nn; no module outside of them
};

/// Splits a flat list where a new call of a torch.nn leaf, or a new operator, begins. Modules must
/// be classified by now.
std::vector<NodeRun> split_into_runs(const ConnectedGraph& graph,
                                     const std::vector<ProgramNode>& nodes);

} // namespace model_validator
