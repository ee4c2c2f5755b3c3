#pragma once

#include "lint/settings.h"

#include <model_validator/diagnostic.h>
#include <model_validator/lint.h>

#include <vector>

namespace model_validator {

/// Refuses a file for the targets that do not take it because of what was found.
void judge_by_findings(ModelReport& report);

/// The same by findings that are not reported: a verdict rests on all that its runtime would
/// refuse. Where operators that a target refuses are reported, so is what else it refuses the file
/// for.
void judge_by_others(const std::vector<Diagnostic>& others, const Settings& settings,
                     ModelReport& report);

} // namespace model_validator
