#pragma once

#include "fixes/call_arguments.h"
#include "fixes/nn_classes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// What the constructor of a class of `torch.nn` is given, in place of what its function was given:
/// `0.5, inplace=True`.
/// @param behind_tensor  the arguments of the function but for its tensor
/// @param in_place  whether the function writes into its tensor
/// @param mode  the source of whether the model trains: `self.training`
/// @returns nothing where the constructor does not take them
std::optional<std::string> constructor_arguments(const NnClass& type,
                                                 const std::vector<GivenArgument>& behind_tensor,
                                                 bool in_place, std::string_view mode);

} // namespace model_validator::fixes
