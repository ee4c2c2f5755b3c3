#include "verify/run/module_nodes.h"

#include <torch/csrc/jit/api/function_impl.h>

namespace model_validator::verify {
namespace {

using VisitNode = std::function<void(torch::jit::Node&)>;

void visit_block(torch::jit::Block& block, const VisitNode& visit) {
  for (torch::jit::Node* node : block.nodes()) {
    for (torch::jit::Block* inner : node->blocks()) visit_block(*inner, visit);
    visit(*node);
  }
}

} // namespace

void visit_nodes(const torch::jit::Module& module, const VisitNode& visit) {
  for (torch::jit::Function* function : module._ivalue()->compilation_unit()->get_functions())
    if (function->isGraphFunction())
      visit_block(*torch::jit::toGraphFunction(*function).graph()->block(), visit);
}

} // namespace model_validator::verify
