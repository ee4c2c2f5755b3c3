#include "verify/run/module_nodes.h"

#include "connected_graph/torchscript/ir/nested_nodes.h"

#include <torch/csrc/jit/api/function_impl.h>

namespace model_validator::verify {

void visit_nodes(const torch::jit::Module& module,
                 const std::function<void(torch::jit::Node&)>& visit) {
  for (torch::jit::Function* function : module._ivalue()->compilation_unit()->get_functions())
    if (function->isGraphFunction())
      torchscript::for_each_node(*torch::jit::toGraphFunction(*function).graph()->block(), visit);
}

} // namespace model_validator::verify
