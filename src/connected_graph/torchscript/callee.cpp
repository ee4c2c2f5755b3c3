#include "connected_graph/torchscript/callee.h"

namespace model_validator::torchscript {
namespace {

torch::jit::Function* called(const torch::jit::Node& node) {
  if (node.kind() == torch::jit::prim::CallFunction) {
    const auto type = node.input(0)->type()->cast<c10::FunctionType>();
    return type ? type->function() : nullptr;
  }
  if (node.kind() == torch::jit::prim::CallMethod) {
    const auto type = node.input(0)->type()->cast<c10::ClassType>();
    return type ? type->findMethod(node.s(torch::jit::attr::name)) : nullptr;
  }
  return nullptr;
}

} // namespace

torch::jit::GraphFunction* callee_of(const torch::jit::Node& node) {
  torch::jit::Function* function = called(node);
  return function != nullptr ? torch::jit::tryToGraphFunction(*function) : nullptr;
}

} // namespace model_validator::torchscript
