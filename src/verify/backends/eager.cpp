#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/run/device.h"
#include "verify/run/fresh_copy.h"
#include "verify/run/run_intermediates.h"

#include <torch/csrc/jit/runtime/graph_executor.h>

namespace model_validator::verify {
namespace {

class Eager final : public Backend {
public:
  std::string name() const override { return "eager"; }
  std::string summary() const override {
    return "the TorchScript module or torch.export program as it is, run by LibTorch";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    return [call = in_calls(on_device(module_of(input, name()), options.device), options)](
               std::vector<c10::IValue> inputs) {
      const torch::jit::GraphOptimizerEnabledGuard as_it_is(false);
      return call(std::move(inputs));
    };
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    const auto module = on_device(module_of(input, name()), options.device);
    return verify::run_intermediates(fresh_copy(module), on_device(inputs, options.device), run);
  }
};

} // namespace

std::shared_ptr<const Backend> eager_backend() { return std::make_shared<Eager>(); }

} // namespace model_validator::verify
