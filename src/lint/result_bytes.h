#pragma once

#include "lint/file_runner.h"

#include <string>
#include <string_view>

namespace model_validator {

/// A result as bytes, for a process that hands it to another of the same program. Its settings stay
/// behind.
std::string to_bytes(FileResult result);

/// @throws std::runtime_error for bytes that are cut off
FileResult result_from(std::string_view bytes);

} // namespace model_validator
