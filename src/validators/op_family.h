#pragma once

#include <string>
#include <string_view>

namespace model_validator {

/// One spelling for all operators that do the same: `sub` for `rsub` and `subtract`.
std::string op_family(std::string_view type);

} // namespace model_validator
