#pragma once

#include <string>

namespace model_validator::verify {

/// What a runtime says of a failure as one line: without the places in its own source that it names
/// first, and not endless.
std::string runtime_message(const std::string& text);

} // namespace model_validator::verify
