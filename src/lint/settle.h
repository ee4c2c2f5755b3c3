#pragma once

#include <model_validator/lint.h>

namespace model_validator {

/// Sorts the findings and works out the status of each check and of the model from them. To be
/// called again after findings were added, removed, suppressed or given another severity.
void settle(ModelReport& report);

/// True for a finding that makes a model fail: at least a warning, and not suppressed.
bool counts(const Diagnostic& finding);

} // namespace model_validator
