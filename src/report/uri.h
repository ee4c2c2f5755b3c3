#pragma once

#include <string>

namespace model_validator {

/// A path as a URI reference: relative to the current folder where the file lies beneath it, else
/// `file://…`; what a URI may not hold is percent-encoded.
std::string uri_of(const std::string& path);

} // namespace model_validator
