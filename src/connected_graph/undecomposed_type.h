#pragma once

#include <string>
#include <string_view>

namespace model_validator {

/// The type of an ATen operator as the model's Python called it: exporters that decompose write
/// `aten::_softmax` for `softmax`.
std::string undecomposed_type(std::string_view schema);

} // namespace model_validator
