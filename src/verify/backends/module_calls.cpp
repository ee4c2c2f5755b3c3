#include "verify/backends/module_calls.h"

#include "verify/run/device.h"
#include "verify/run/fresh_copy.h"

#include <c10/core/GradMode.h>

namespace model_validator::verify {

ModelFunction in_calls(const torch::jit::Module& module, const BackendOptions& options) {
  return [running = fresh_copy(module), module, device = options.device,
          keep_state = options.keep_state](const std::vector<c10::IValue>& inputs) mutable {
    const c10::NoGradGuard no_gradients;
    if (!keep_state) running = fresh_copy(module);
    return on_cpu(running.forward(on_device(inputs, device)));
  };
}

} // namespace model_validator::verify
