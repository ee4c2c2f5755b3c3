#pragma once

#include <model_validator/verdict.h>

#include <string>
#include <vector>

namespace model_validator {

/// How many calls of operators the target takes.
VerdictCounts count_calls(const TargetVerdict& verdict);

/// The target with the version that it was judged by: `openvino 2026.4.1`.
std::string versioned_name(const TargetVerdict& verdict);

/// A verdict in one line: `openvino 2026.4.1: takes all 69 ops`.
std::string sentence(const TargetVerdict& verdict);

/// A line for each operator that a target takes under conditions, with these.
std::vector<std::string> conditions_of(const TargetVerdict& verdict);

} // namespace model_validator
