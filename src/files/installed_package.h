#pragma once

#include <string>
#include <string_view>

namespace model_validator {

/// The installed package that a Python file belongs to, by its path alone, so that paths of other
/// machines are understood: `torchvision` of `…/site-packages/torchvision/models/resnet.py`. Empty
/// for a file of the user's own.
std::string installed_package(std::string_view file);

} // namespace model_validator
