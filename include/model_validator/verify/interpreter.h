#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace torch::jit {
struct Graph;
struct Node;
} // namespace torch::jit

namespace model_validator::verify {

class Execution;

/// How a model is run.
enum class RunMode : std::uint8_t {
  values,  ///< as it is
  shapes,  ///< shapes and dtypes only: floating-point tensors have no bytes
  float64, ///< every float32 parameter, constant and dtype argument becomes float64
};

/// One node that has just run.
struct Step {
  const torch::jit::Node& node;
  const std::string& module_path;          ///< of the module whose method contains the node
  const std::vector<c10::IValue>& inputs;  ///< as passed to the node
  const std::vector<c10::IValue>& outputs; ///< in-place ops change them later: reduce or copy now
  const std::vector<const torch::jit::Node*>& callers; ///< enclosing calls, outermost first
};

/// Observes a model while it runs. A value is freed after the last node that needs it.
class RunObserver {
public:
  virtual ~RunObserver() = default;
  /// An operator is about to run.
  virtual void before_step(const torch::jit::Node&, const std::vector<c10::IValue>& /*inputs*/) {}
  /// A method or function is entered; a method's first input is its object.
  virtual void on_enter(const torch::jit::Node&, const std::vector<c10::IValue>& /*inputs*/) {}
  /// It has returned.
  virtual void on_leave(const torch::jit::Node&) {}
  /// An operator, or a call of a method, has run.
  virtual void on_step(const Step& step) = 0;
  /// An `if` has been decided.
  virtual void on_branch(const torch::jit::Node&, bool) {}
  /// A loop has ended after this many iterations.
  virtual void on_loop(const torch::jit::Node&, std::int64_t) {}
};

/// Runs a TorchScript module node by node over its method graphs, so that every node is seen with
/// the path of the module it belongs to.
///
/// A model may change its own attributes when it runs: reload it where that matters. A run for
/// shapes leaves them as they were.
class Interpreter {
public:
  /// @param max_steps  the most nodes and loop iterations in one run; 0: no limit
  explicit Interpreter(torch::jit::Module module, RunMode mode = RunMode::values,
                       std::size_t max_steps = 0);
  /// @param execution  how values enter a run and how operators run
  Interpreter(torch::jit::Module module, std::unique_ptr<Execution> execution);
  ~Interpreter();
  Interpreter(Interpreter&&) noexcept;
  Interpreter& operator=(Interpreter&&) noexcept;

  /// Runs a method. @throws Error (`run-failed`) naming module path and operator, (`too-long`) for
  /// a run of more steps than allowed
  c10::IValue run(std::vector<c10::IValue> inputs, RunObserver* observer = nullptr,
                  const std::string& method = "forward");

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace model_validator::verify
