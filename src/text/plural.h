#pragma once

#include <cstddef>
#include <string>

namespace model_validator {

/// `1 finding`, `2 findings`: the noun is given in the singular.
std::string plural(std::size_t count, const std::string& noun);

} // namespace model_validator
