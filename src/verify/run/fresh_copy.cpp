#include "verify/run/fresh_copy.h"

#include "verify/run/written_parameters.h"

#include <c10/core/GradMode.h>

#include <algorithm>

namespace model_validator::verify {

torch::jit::Module fresh_copy(const torch::jit::Module& module) {
  const c10::NoGradGuard no_gradients; // gradients must not flow through a copy
  const auto written = written_parameters(module);
  c10::IValue::HashIdentityIValueMap copied;
  for (const auto& parameter : module.parameters())
    if (std::none_of(written.begin(), written.end(),
                     [&](const at::Tensor& each) { return each.is_same(parameter); }))
      copied.emplace(parameter, parameter);
  return torch::jit::Module(module._ivalue()->deepcopy(copied));
}

} // namespace model_validator::verify
