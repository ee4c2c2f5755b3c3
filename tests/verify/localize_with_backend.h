#pragma once

#include "verify/localize/localize.h"

#include <model_validator/verify/backend.h>

namespace model_validator::verify {

/// Localises the difference to what a backend makes of a candidate, with the reference's inputs.
inline Divergence localize(const ReferenceRun& reference, const Backend& backend,
                           const BackendInput& candidate, const std::vector<c10::IValue>& inputs,
                           const BackendOptions& options) {
  const auto run = [&](const IntermediateRun& what) {
    return backend.run_intermediates(candidate, inputs, options, what);
  };
  return localize(reference, run, inputs);
}

inline Divergence localize(const torch::jit::Module& reference, const Backend& backend,
                           const BackendInput& candidate, const std::vector<c10::IValue>& inputs,
                           const BackendOptions& options) {
  return localize(*run_of_module(reference, inputs), backend, candidate, inputs, options);
}

} // namespace model_validator::verify
