#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// A parameter of a function of torch's.
struct TorchParameter {
  std::string_view name;
  std::string_view type; ///< as TorchScript has to be given it; empty for a tensor
};

/// What a function takes behind its tensor, in order; empty where the function is not known.
const std::vector<TorchParameter>& torch_parameters(std::string_view operation);

} // namespace model_validator::fixes
