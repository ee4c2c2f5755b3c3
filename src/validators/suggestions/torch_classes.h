#pragma once

#include "validators/suggestions/constructor_argument.h"

#include <string_view>
#include <vector>

namespace model_validator {

/// A class of `torch.nn` and how its modules are constructed.
struct TorchClass {
  std::string_view name; ///< `Conv2d`
  std::vector<ConstructorArgument> arguments;
};

/// The leaf classes of `torch.nn`, sorted by name.
const std::vector<TorchClass>& torch_classes();
/// Null where the class is not known.
const TorchClass* find_torch_class(std::string_view name);
/// Whether its constructor has an argument of that name.
bool takes(const TorchClass& type, std::string_view argument);
/// Whether modules of a class of these have weights or buffers of their own.
bool has_state(std::string_view name);

} // namespace model_validator
