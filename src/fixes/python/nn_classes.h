#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// A class of `torch.nn` that does what a function does.
struct NnClass {
  std::string_view name;
  /// What the function takes after its tensor, in order. Those that the class takes without a name
  /// begin with `*`; those that it does not take with `-`.
  std::vector<std::string_view> arguments;
};

/// Null where torch has no class with the same meaning.
const NnClass* find_nn_class(std::string_view operation);

/// Whether the class of a name takes an argument; nothing where it is none of these.
std::optional<bool> nn_class_takes(std::string_view name, std::string_view argument);

/// Whether the class of a name takes nothing that changes what it computes.
bool nn_class_is_plain(std::string_view name);

} // namespace model_validator::fixes
