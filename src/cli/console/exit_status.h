#pragma once

#include <model_validator/error.h>

#include <string>

namespace model_validator::cli {

/// The program's exit status.
enum ExitStatus : int { clean = 0, findings = 1, usage_error = 2, internal_fault = 3 };

/// Prints an error on standard error, as the reports print one.
void print_error(const Error& error);

/// Prints what the user should know of a result, on standard error.
void print_warning(const std::string& sentence, const std::string& hint);

} // namespace model_validator::cli
