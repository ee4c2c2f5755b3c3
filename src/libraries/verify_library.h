#pragma once

#include "verify/library.h"

namespace model_validator {

/// The code that runs models, in a library of its own because it needs LibTorch: loaded at the
/// first call.
/// @param file  the file concerned, for the Error; may be empty
/// @throws Error (`no-libtorch`)
const verify::Library& verify_library(const std::filesystem::path& file = {});

} // namespace model_validator
