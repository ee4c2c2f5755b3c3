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

/// The fixes of findings, and the help that goes with them, for the process that has the findings.
std::string fixes_to_bytes(std::vector<Diagnostic> findings);

/// Gives findings the fixes that `fixes_to_bytes` made of them in another process.
/// @throws std::runtime_error where the bytes are not those of fixes for these findings
void take_fixes(std::string_view bytes, std::vector<Diagnostic>& findings);

} // namespace model_validator
