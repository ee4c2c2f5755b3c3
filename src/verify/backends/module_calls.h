#pragma once

#include <model_validator/verify/backend.h>

namespace model_validator::verify {

/// Calls of a module on the device: one after the other if state must be kept, else each on its own
/// copy.
ModelFunction in_calls(const torch::jit::Module& module, const BackendOptions& options);

} // namespace model_validator::verify
