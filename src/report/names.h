#pragma once

#include "report/style.h"

#include <model_validator/diagnostic.h>

#include <string>

namespace model_validator {

/// `resnet.py:101:14`, escaped; the parts that are unknown are left out.
std::string place_of(const SourceLocation& source);

/// Where a finding is, escaped: a place in Python, or else the model and the op.
std::string place_of(const Diagnostic& finding, const std::string& model);

/// `warning[GRA001]` in the severity's colour.
std::string label_of(const Diagnostic& finding, const Paint& paint);

/// The first location that is known; null where none is.
const DiagnosticLocation* first_location(const Diagnostic& finding);

} // namespace model_validator
