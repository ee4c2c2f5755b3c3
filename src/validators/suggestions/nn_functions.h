#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// A function for which `torch.nn` has a class that does the same.
struct NnFunction {
  std::string class_name;
  /// What the function takes after its tensor, in order. Those that the class takes without a name
  /// begin with `*`; those that it does not take with `-`.
  std::vector<std::string_view> arguments;
};

/// Null where torch has no class with the same meaning.
const NnFunction* find_nn_function(std::string_view operation);

} // namespace model_validator
