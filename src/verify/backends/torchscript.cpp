#include "verify/backends/builtin.h"
#include "verify/run/failure.h"
#include "verify/run/visit_tensors.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>

namespace model_validator::verify {
namespace {

/// LibTorch's executor profiles the first runs and optimises after them: only then is the graph
/// that runs the one to verify.
constexpr int profiling_runs = 2;

torch::jit::Module optimised(torch::jit::Module module) {
  if (module.hasattr("training") && module.is_training())
    throw Error("backend-refused", "", "the module is in training mode and cannot be frozen",
                "call eval() before exporting it");
  try {
    auto frozen = torch::jit::freeze(module.deepcopy());
    return torch::jit::optimize_for_inference(frozen);
  } catch (const std::exception& failure) {
    throw Error("backend-refused", "", "the module cannot be frozen: " + sentence_of(failure));
  }
}

class TorchScript final : public Backend {
public:
  std::string name() const override { return "ts"; }
  std::string summary() const override {
    return "LibTorch's own compiler: frozen and optimised for inference";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>& examples,
                        const BackendOptions&) const override {
    const c10::NoGradGuard no_gradients;
    auto module = optimised(module_of(input, name()));
    for (int i = 0; i < profiling_runs; ++i) module.forward(clone_inputs(examples));
    return [module](std::vector<c10::IValue> inputs) mutable {
      const c10::NoGradGuard guard;
      return module.forward(std::move(inputs));
    };
  }
  bool visit_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                           const BackendOptions&, const IntermediateVisitor& visit) const override {
    visit_tensors(optimised(module_of(input, name())), inputs, visit);
    return true;
  }
};

} // namespace

std::shared_ptr<const Backend> torchscript_backend() { return std::make_shared<TorchScript>(); }

} // namespace model_validator::verify
