#include "verify/localize/localize.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>

namespace model_validator::verify {
namespace {

/// What honest compilers stay below, on every tensor of every model measured, many times over.
constexpr double tolerance = 1e-4;

} // namespace

Divergence localize(const torch::jit::Module& reference, const Backend& backend,
                    const BackendInput& candidate, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options) {
  const c10::NoGradGuard no_gradients;
  const auto trace = trace_ops(reference.copy(), clone_inputs(inputs));
  std::vector<Intermediate> intermediates;
  const auto keep = [&](const std::string& name, const at::Tensor& tensor) {
    intermediates.push_back({name, sketch_of(tensor)});
  };
  if (!backend.visit_intermediates(candidate, inputs, options, keep))
    throw Error("cannot-localize", "",
                "the backend `" + backend.name() + "` does not show what it computes on its way");
  // What the model is given is there as well, for ops that only hand it on.
  for (const auto& input : inputs)
    if (input.isTensor()) keep("input", input.toTensor());
  return find_divergence(trace, intermediates, tolerance);
}

} // namespace model_validator::verify
