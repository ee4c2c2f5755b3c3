#pragma once

#include <model_validator/lint.h>

namespace model_validator {

/// The findings, moved out of where they are into the order of a report: place, module, rule. Each
/// is moved once and compared with few: there may be a million, and those of each check are in
/// order already.
std::vector<Diagnostic> in_order(const std::vector<Diagnostic*>& findings);

/// Works out the status of each check and of the model from the findings.
void judge(ModelReport& report);

/// Sorts the findings and works out the status of each check and of the model from them. Must be
/// called again after findings were added, removed, suppressed or given another severity.
void finish(ModelReport& report);

/// True for a finding that makes a model fail: at least a warning, and not suppressed.
bool counts(const Diagnostic& finding);

} // namespace model_validator
