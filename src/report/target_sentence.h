#pragma once

#include <model_validator/lint.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// How many calls of operators the target takes.
VerdictCounts count_calls(const TargetVerdict& verdict);

/// The target with the version that it was judged by: `openvino 2026.4.1`.
std::string versioned_name(const TargetVerdict& verdict);

/// A verdict in one line: `openvino 2026.4.1: takes all 69 ops`, with the first of the conditions
/// under which it does.
std::string sentence(const TargetVerdict& verdict);
/// The same without the target.
std::string what_it_does(const TargetVerdict& verdict);
/// The same without the conditions, where they are listed beneath.
std::string headline(const TargetVerdict& verdict);

/// What becomes of a model, in a count of several: `taken under conditions`.
std::string_view word_for(const TargetVerdict& verdict);

/// A line for each operator that a target takes under conditions, with these.
std::vector<std::string> conditions_of(const TargetVerdict& verdict);

/// What the runtime of a target itself said on this machine, a line each; none where it was not
/// asked.
std::vector<std::string> asked_in_words(const ModelReport& report, std::string_view target);

} // namespace model_validator
