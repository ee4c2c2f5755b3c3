#pragma once

#include <model_validator/verify/backend.h>

namespace model_validator::verify {

/// The one function a backend in a library of its own exports: it adds the backend.
using RegisterBackend = void (*)(BackendRegistry&);
inline constexpr const char* register_backend_symbol = "model_validator_register_backend";

/// Another returns the release of what it links.
using RuntimeVersion = const char* (*)();
inline constexpr const char* runtime_version_symbol = "model_validator_runtime_version";

} // namespace model_validator::verify
