#pragma once

#include <model_validator/error.h>

namespace model_validator::cli {

/// What the program's exit status says.
enum ExitStatus : int { clean = 0, findings = 1, usage_error = 2, internal_fault = 3 };

/// Prints an error on standard error, as the reports print one.
void print_error(const Error& error);

} // namespace model_validator::cli
