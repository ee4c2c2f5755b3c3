#pragma once

#include <string_view>

namespace model_validator {

/// Whether an ATen operator of this type yields sizes, numbers or nothing at all, and so carries no
/// tensor data of the model.
bool is_query_type(std::string_view type);

} // namespace model_validator
