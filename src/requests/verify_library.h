#pragma once

#include <model_validator/verify/library.h>

namespace model_validator {

/// Verification, in a library of its own because it needs LibTorch: loaded at the first call.
/// @throws Error (`no-libtorch`)
const verify::Library& verify_library();

} // namespace model_validator
