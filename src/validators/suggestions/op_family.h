#pragma once

#include <string_view>

namespace model_validator {

/// One spelling for all operators that do the same thing: `sub` for `rsub` and `subtract`. A view
/// of the type where that is the spelling.
std::string_view op_family(std::string_view type);

} // namespace model_validator
