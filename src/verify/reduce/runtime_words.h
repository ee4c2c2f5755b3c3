#pragma once

#include "verify/reduce/attempt.h"
#include "verify/reduce/onnx_outline.h"

#include <string>

namespace model_validator::verify {

/// `ONNX Runtime 1.32.0, CPUExecutionProvider`
std::string runtime_in_words(const AskedRuntime& runner, const std::string& version);

/// What a runtime said, fit to be shown.
std::string in_one_line(const std::string& message);

/// Its own, or that of its first result.
std::string name_of(const OnnxNode& node);

} // namespace model_validator::verify
