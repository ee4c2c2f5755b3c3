#include "verify/run/fresh_copy.h"

namespace model_validator::verify {

torch::jit::Module fresh_copy(const torch::jit::Module& module) {
  c10::IValue::HashIdentityIValueMap copied;
  for (const auto& parameter : module.parameters()) copied.emplace(parameter, parameter);
  return torch::jit::Module(module._ivalue()->deepcopy(copied));
}

} // namespace model_validator::verify
