#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// A parameter of a torch function.
struct TorchParameter {
  std::string_view name;
  std::string_view type; ///< as TorchScript needs it annotated; empty for a tensor
};

/// What a function takes after its tensor, in order; empty where the function is not known.
const std::vector<TorchParameter>& torch_parameters(std::string_view operation);

} // namespace model_validator::fixes
