#pragma once

#include <string_view>

namespace model_validator {

/// Whether the operator writes into its input: `aten::add_`, but not `aten::__and__`.
bool writes_in_place(std::string_view schema);

/// Whether the result of an op of that type is, always or sometimes, the memory of its first
/// operand.
bool may_return_operand(std::string_view type);

/// Whether the result is a view of the first operand, whatever its values and layout are.
bool returns_view(std::string_view type);

} // namespace model_validator
