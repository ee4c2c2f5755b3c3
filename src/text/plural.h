#pragma once

#include <cstddef>
#include <string>

namespace model_validator {

/// `1 finding`, `2 findings`: the noun is given in the singular.
std::string plural(std::size_t count, const std::string& noun);

/// `2 of 4'608 numbers`, with digits in groups.
std::string of_all(std::size_t count, std::size_t all, const std::string& noun);

} // namespace model_validator
