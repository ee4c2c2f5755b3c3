#pragma once

#include <cstdint>
#include <utility>

namespace model_validator {

/// A number in a JSON text that has to be whole and within the range of its type. The library also
/// converts any other: -1 becomes the largest number.
/// @throws Json::type_error for anything else
template <class Number, class Json> Number whole_number(const Json& json) {
  const bool fits =
      json.is_number_unsigned()
          ? std::in_range<Number>(json.template get<std::uint64_t>())
          : json.is_number_integer() && std::in_range<Number>(json.template get<std::int64_t>());
  if (!fits) throw Json::type_error::create(302, "this is not a whole number of its range", &json);
  return json.template get<Number>();
}

/// The same of a member that may be absent.
template <class Number, class Json>
Number whole_number(const Json& json, const char* key, Number absent) {
  const auto& members = json.template get_ref<const typename Json::object_t&>();
  const auto found = members.find(key);
  return found == members.end() ? absent : whole_number<Number>(found->second);
}

} // namespace model_validator
