#include "verify/run/execution.h"

#include <model_validator/data/contains.h>

#include <torch/csrc/jit/ir/constants.h>

#include <array>

namespace model_validator::verify {
namespace {

class PlainExecution final : public Execution {
public:
  void run(const torch::jit::Node&, Callable& callable, torch::jit::Stack& stack) override {
    run_plainly(callable, stack);
  }
};

/// Whether LibTorch, before it runs a node, makes a number of its second operand: a constant
/// without dimensions, as a trace has it for `x * 0.5`. Its pass `CanonicalizeOps` says where.
bool takes_number(const torch::jit::Node& node) {
  const std::array operators{torch::jit::aten::add, torch::jit::aten::sub, torch::jit::aten::mul,
                             torch::jit::aten::div};
  const auto* schema = node.maybeSchema();
  if (!contains(operators, node.kind()) || schema == nullptr || schema->overload_name() != "Tensor")
    return false;
  const auto constant = torch::jit::toIValue(node.input(1));
  return constant && constant->isTensor() && constant->toTensor().dim() == 0;
}

} // namespace

Callable callable_of(const torch::jit::Node& node) {
  const auto* schema = node.maybeSchema();
  const bool variadic =
      schema != nullptr && schema->is_vararg() && node.getOperator().hasOperation();
  return {node.getOperation(), schema, variadic, node.inputs().size(), false, takes_number(node)};
}

std::unique_ptr<Execution> Execution::create(RunMode mode) {
  switch (mode) {
  case RunMode::shapes: return shape_execution();
  case RunMode::float64: return float64_execution();
  case RunMode::values: break;
  }
  return std::make_unique<PlainExecution>();
}

void Execution::run_plainly(Callable& callable, torch::jit::Stack& stack) {
  if (callable.variadic) stack.emplace_back(static_cast<std::int64_t>(callable.arguments));
  callable.operation(stack);
}

} // namespace model_validator::verify
