#pragma once

#include "logging/log.h"

#include <model_validator/lint.h>

namespace model_validator {

/// How the checks went on one model, in the sentences of AIMET's model validator.
LogEntries validation_log(const ModelReport& report);

} // namespace model_validator
