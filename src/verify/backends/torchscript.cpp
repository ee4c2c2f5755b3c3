#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/run/device.h"
#include "verify/run/failure.h"
#include "verify/run/fresh_copy.h"
#include "verify/run/run_intermediates.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>

namespace model_validator::verify {
namespace {

/// LibTorch's executor profiles the first runs and optimises after them: only then is the graph
/// that runs the one to verify.
constexpr int profiling_runs = 2;

torch::jit::Module optimised(torch::jit::Module module) {
  if (module.hasattr("training") && module.is_training())
    throw Error(ErrorKind::backend_refused, "",
                "the module is in training mode and cannot be frozen",
                "call eval() before exporting it");
  try {
    auto frozen = torch::jit::freeze(module.deepcopy());
    return torch::jit::optimize_for_inference(frozen);
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::backend_refused, "",
                "the module cannot be frozen: " + sentence_of(failure));
  }
}

class TorchScript final : public Backend {
public:
  std::string name() const override { return "ts"; }
  std::string summary() const override {
    return "LibTorch's own compiler: frozen and optimised for inference";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>& examples,
                        const BackendOptions& options) const override {
    const c10::NoGradGuard no_gradients;
    const auto module = optimised(on_device(module_of(input, name()), options.device));
    auto warming = fresh_copy(module); // it shares the code that is optimised, but no state
    for (int i = 0; i < profiling_runs; ++i)
      warming.forward(on_device(clone_inputs(examples), options.device));
    return in_calls(module, options);
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    const auto module = optimised(on_device(module_of(input, name()), options.device));
    return verify::run_intermediates(module, on_device(inputs, options.device), run);
  }
};

} // namespace

std::shared_ptr<const Backend> torchscript_backend() { return std::make_shared<TorchScript>(); }

} // namespace model_validator::verify
