#pragma once

#include <string>

namespace model_validator::verify {

/// A runtime's message about a failure as one line: without the places in its own source that it
/// names first, and shortened.
std::string runtime_message(const std::string& text);

} // namespace model_validator::verify
