#pragma once

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace model_validator {

/// Null where there is no attribute of that name.
const AttributeValue* find_attribute(const std::vector<Attribute>& attributes,
                                     std::string_view name);

/// Its value; null where there is no attribute of that name, or it is of another type.
template <class T>
const T* find_attribute(const std::vector<Attribute>& attributes, std::string_view name) {
  return std::get_if<T>(find_attribute(attributes, name));
}

std::optional<std::int64_t> integer_of(const std::vector<Attribute>& attributes,
                                       std::string_view name);
/// Whether there is an attribute of that name, and it is true: ONNX writes 1.
bool is_true(const std::vector<Attribute>& attributes, std::string_view name);

} // namespace model_validator
