#include "verify/run/execution.h"

namespace model_validator::verify {

Callable callable_of(const torch::jit::Node& node) {
  const auto* schema = node.maybeSchema();
  const bool variadic =
      schema != nullptr && schema->is_vararg() && node.getOperator().hasOperation();
  return {node.getOperation(), schema, variadic, node.inputs().size(), false};
}

std::unique_ptr<Execution> Execution::create(RunMode mode) {
  switch (mode) {
  case RunMode::shapes: return shape_execution();
  case RunMode::float64: return float64_execution();
  case RunMode::values: break;
  }
  return std::make_unique<Execution>();
}

void Execution::run_plainly(Callable& callable, torch::jit::Stack& stack) {
  if (callable.variadic) stack.emplace_back(static_cast<std::int64_t>(callable.arguments));
  callable.operation(stack);
}

} // namespace model_validator::verify
