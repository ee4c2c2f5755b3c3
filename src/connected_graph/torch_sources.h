#pragma once

#include <string>

namespace model_validator {

/// Whether a Python file belongs to the torch package: `…/torch/nn/functional.py`.
bool is_inside_torch(const std::string& file);

} // namespace model_validator
