#include "verify/run/fresh_copy.h"

#include "verify/run/run_state.h"
#include "verify/run/unwritten_parameters.h"

#include <c10/core/GradMode.h>

#include <unordered_set>

namespace model_validator::verify {

torch::jit::Module fresh_copy(const torch::jit::Module& module) {
  const c10::NoGradGuard no_gradients; // gradients must not flow through a copy
  c10::IValue::HashIdentityIValueMap copied;
  for (const auto& parameter : unwritten_parameters(module)) copied.emplace(parameter, parameter);
  return torch::jit::Module(module._ivalue()->deepcopy(copied));
}

TensorMap fresh_tensors(const torch::jit::Module& module) {
  std::unordered_set<const c10::TensorImpl*> shared;
  for (const auto& parameter : unwritten_parameters(module))
    shared.insert(parameter.unsafeGetTensorImpl());
  return [shared = std::move(shared), copies = TensorCopies()](const at::Tensor& tensor) mutable {
    return shared.contains(tensor.unsafeGetTensorImpl()) ? tensor : copies(tensor);
  };
}

} // namespace model_validator::verify
