#pragma once

#include "verify/backends/few_bit_weight.h"
#include "verify/backends/unrounded_file.h"

#include <filesystem>

namespace model_validator::verify {

/// Makes a copy of a `.tflite` file that computes in float32 what the file computes in steps, and
/// rounds nothing: values go on as they are, and stored numbers are those that `find_own` gives, or
/// what the file's stand for. Operators, their settings and the names of tensors stay.
/// @throws Error (`damaged-file`), (`backend-refused`) where something cannot be computed in
/// float32
UnroundedFile write_unrounded_litert(const std::filesystem::path& model,
                                     const std::filesystem::path& to,
                                     const FindOwnWeight& find_own);

} // namespace model_validator::verify
