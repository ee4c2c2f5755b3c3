#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// What a process that reads or runs a model wrote to its standard streams, line by line, with
/// control characters escaped.
std::vector<std::string> printed_lines(std::string_view printed);

} // namespace model_validator
