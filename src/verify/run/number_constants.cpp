#include "verify/run/number_constants.h"

#include "verify/run/module_nodes.h"

#include <model_validator/data/contains.h>

#include <torch/csrc/jit/ir/constants.h>

#include <array>
#include <optional>

namespace model_validator::verify {
namespace {

using torch::jit::Node;

bool takes_number(const Node& node) {
  const std::array operators{torch::jit::aten::add, torch::jit::aten::sub, torch::jit::aten::mul,
                             torch::jit::aten::div};
  if (!contains(operators, node.kind())) return false;
  const auto* schema = node.maybeSchema();
  return schema != nullptr && schema->overload_name() == "Tensor";
}

/// The constant that a node's second operand is, as a number.
std::optional<at::Tensor> number_of(const Node& node) {
  const auto constant = torch::jit::toIValue(node.input(1));
  if (!constant || !constant->isTensor() || !constant->toTensor().defined() ||
      constant->toTensor().dim() != 0)
    return std::nullopt;
  at::Tensor number = constant->toTensor().detach();
  number.unsafeGetTensorImpl()->set_wrapped_number(true);
  return number;
}

} // namespace

void number_constants(const torch::jit::Module& module) {
  visit_nodes(module, [](Node& node) {
    if (!takes_number(node)) return;
    if (const auto number = number_of(node)) {
      const torch::jit::WithInsertPoint before(&node);
      // What else uses the constant keeps it as it is.
      node.replaceInput(1, node.owningGraph()->insertConstant(*number, node.sourceRange()));
    }
  });
}

} // namespace model_validator::verify
