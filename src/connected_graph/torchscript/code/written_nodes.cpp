#include "connected_graph/torchscript/code/written_nodes.h"

#include "connected_graph/torchscript/ir/nested_nodes.h"

namespace model_validator::torchscript {
std::size_t written_nodes(const torch::jit::Module& root) {
  std::size_t nodes = 0;
  for (torch::jit::Function* function : root._ivalue()->compilation_unit()->get_functions())
    if (const auto* written = torch::jit::tryToGraphFunction(*function))
      for_each_node(*written->graph()->block(), [&nodes](const Node&) { ++nodes; });
  return nodes;
}

} // namespace model_validator::torchscript
