#include "connected_graph/torchscript/code/written_nodes.h"

namespace model_validator::torchscript {
namespace {

// The depth of blocks was bounded when the code was read.
std::size_t nodes_in(const Block& block) {
  std::size_t nodes = 0;
  for (const Node* node : block.nodes()) {
    ++nodes;
    for (const Block* inner : node->blocks()) nodes += nodes_in(*inner);
  }
  return nodes;
}

} // namespace

std::size_t written_nodes(const torch::jit::Module& root) {
  std::size_t nodes = 0;
  for (torch::jit::Function* function : root._ivalue()->compilation_unit()->get_functions())
    if (const auto* written = torch::jit::tryToGraphFunction(*function))
      nodes += nodes_in(*written->graph()->block());
  return nodes;
}

} // namespace model_validator::torchscript
