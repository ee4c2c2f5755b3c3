#pragma once

#include "lint/file_runner.h"

namespace model_validator {

// What is told, and fails no run: what its user can do nothing about.

/// Findings about code of installed packages, unless the settings say that they count. Findings
/// about the file, its target or its export are everybody's.
void excuse_installed(const Settings& settings, ModelReport& report);

/// A file that was found, not named, and holds no model: a checkpoint, or inputs.
void pass_over(FileResult& result);

} // namespace model_validator
