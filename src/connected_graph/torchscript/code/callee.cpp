#include "connected_graph/torchscript/code/callee.h"

namespace model_validator::torchscript {
namespace {

torch::jit::Function* called(const Node& node) {
  if (node.kind() == prim::CallFunction) {
    const auto type = node.input(0)->type()->cast<c10::FunctionType>();
    return type ? type->function() : nullptr;
  }
  if (node.kind() == prim::CallMethod) {
    const auto type = node.input(0)->type()->cast<c10::ClassType>();
    return type ? type->findMethod(node.s(attr::name)) : nullptr;
  }
  return nullptr;
}

} // namespace

torch::jit::GraphFunction* callee_of(const Node& node) {
  torch::jit::Function* function = called(node);
  return function != nullptr ? torch::jit::tryToGraphFunction(*function) : nullptr;
}

} // namespace model_validator::torchscript
