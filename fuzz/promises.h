#pragma once

#include <string>
#include <string_view>

namespace fuzz {

/// Ends the process where a report breaks a promise of its format: no control character, no line
/// that a CI service takes for a command, JSON that can be parsed, XML of allowed characters.
void require_promises(std::string_view format, const std::string& report);

} // namespace fuzz
