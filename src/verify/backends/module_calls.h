#pragma once

#include <model_validator/verify/backend.h>

namespace model_validator::verify {

/// Calls of a module that lies on the device: one after the other where state is to be kept, else
/// each of a copy of its own.
ModelFunction in_calls(const torch::jit::Module& module, const BackendOptions& options);

} // namespace model_validator::verify
