#pragma once

#include "fixes/call_arguments.h"
#include "fixes/python/nn_classes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// The arguments of the constructor of a `torch.nn` class, in place of those of its function: `0.5,
/// inplace=True`.
/// @param behind_tensor  the arguments of the function except its tensor
/// @param in_place  whether the function writes into its tensor
/// @param mode  the expression that says whether the model trains: `self.training`
/// @returns nothing where the constructor does not take them
std::optional<std::string> constructor_arguments(const NnClass& type,
                                                 const std::vector<GivenArgument>& behind_tensor,
                                                 bool in_place, std::string_view mode);

} // namespace model_validator::fixes
