#pragma once

#include <model_validator/connected_graph.h>

#include <initializer_list>
#include <optional>
#include <string_view>

namespace model_validator::verify {

/// The number that an attribute, or a constant operand, holds; `-Infinity` counts as one of very
/// low ones.
std::optional<double> number_in(const AttributeValue& value);

/// That of the first attribute that has one of these names.
std::optional<double> constant_of(const Op& op, std::initializer_list<std::string_view> names);

} // namespace model_validator::verify
