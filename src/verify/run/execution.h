#pragma once

#include "verify/run/run_state.h"

#include <model_validator/verify/interpreter.h>

#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>

namespace model_validator::verify {

/// An operator node, looked up once.
struct Callable {
  torch::jit::Operation operation;
  const c10::FunctionSchema* schema = nullptr; ///< null for a few `prim::` nodes
  bool variadic = false;                       ///< the operator is given the number of its inputs
  std::size_t arguments = 0;                   ///< number of inputs of the node
  bool lacks_meta = false;                     ///< was found not to run without bytes
};
Callable callable_of(const torch::jit::Node& node);

/// What differs between the modes of the interpreter: how values enter a run and how operators run.
/// This class itself runs a model as it is.
class Execution {
public:
  static std::unique_ptr<Execution> create(RunMode mode);
  virtual ~Execution() = default;

  /// An input, as it enters the run. A value that needs no change is returned itself: a list must
  /// stay the one that the model appends to.
  virtual c10::IValue enter(const c10::IValue& value) { return value; }
  /// An attribute of the model.
  virtual c10::IValue enter_attribute(const c10::IValue& value) { return enter(value); }
  /// The state of the module for one run; null where the run changes that of the module itself.
  virtual std::unique_ptr<RunState> enter_state(const torch::jit::Module&) { return nullptr; }
  /// A constant of the code.
  virtual c10::IValue enter_constant(const c10::IValue& value) { return enter(value); }
  /// Runs an operator: the stack holds its inputs before, its outputs afterwards.
  virtual void run(const torch::jit::Node& /*node*/, Callable& callable, torch::jit::Stack& stack) {
    run_plainly(callable, stack);
  }

protected:
  /// Runs the operator on what the stack holds.
  static void run_plainly(Callable& callable, torch::jit::Stack& stack);
};

std::unique_ptr<Execution> shape_execution();
std::unique_ptr<Execution> float64_execution();

} // namespace model_validator::verify
