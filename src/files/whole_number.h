#pragma once

namespace model_validator {

/// A number in a JSON text that has to be whole. The library also converts a real number beyond the
/// type's range, which is undefined behaviour.
/// @throws Json::type_error for anything else
template <class Number, class Json> Number whole_number(const Json& json) {
  if (!json.is_number_integer())
    throw Json::type_error::create(302, "this is not a whole number", &json);
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
