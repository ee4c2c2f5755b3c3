#pragma once

#include <cstdint>
#include <string>

namespace model_validator {

/// A number with its digits in groups of three: `1'814'073'344`.
std::string with_separators(std::uint64_t number);

} // namespace model_validator
