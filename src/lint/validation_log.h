#pragma once

#include "logging/log.h"

#include <model_validator/lint.h>

namespace model_validator {

/// The name of a rule in the log: `validate_for_reused_modules`.
std::string log_name(std::string_view rule);

/// How the checks went on one model, in the sentences of AIMET's model validator.
LogEntries validation_log(const ModelReport& report);

} // namespace model_validator
