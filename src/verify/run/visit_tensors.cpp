#include "verify/run/visit_tensors.h"

#include "verify/run/tensor_tree.h"

#include <model_validator/verify/interpreter.h>

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::verify {
namespace {

class TensorWatcher final : public RunObserver {
public:
  explicit TensorWatcher(const IntermediateVisitor& visit) : visit_(visit) {}
  void on_step(const Step& step) override {
    if (step.node.maybeOperator() == nullptr) return; // calls hand on what operators made
    for (std::size_t i = 0; i < step.outputs.size(); ++i)
      for_each_tensor(step.outputs[i], [&](const at::Tensor& tensor) {
        visit_(step.node.outputs()[i]->debugName(), tensor);
      });
  }

private:
  const IntermediateVisitor& visit_;
};

} // namespace

void visit_tensors(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
                   const IntermediateVisitor& visit) {
  TensorWatcher watcher(visit);
  Interpreter(module).run(clone_inputs(inputs), &watcher);
}

} // namespace model_validator::verify
