#pragma once

#include <string>
#include <string_view>

namespace model_validator::verify {

/// Text for XML and HTML, in elements and in quoted attributes. Control characters, which neither
/// may hold, become visible escapes.
std::string markup(std::string_view text);

} // namespace model_validator::verify
