#pragma once

#include <nlohmann/json.hpp>

namespace model_validator::exported_program {

/// A number of the file that has to be whole. JSON would make one of a real number beyond its range
/// as well, which is undefined.
/// @throws nlohmann::json::type_error for anything else
template <class Number> Number whole_number(const nlohmann::json& json) {
  if (!json.is_number_integer())
    throw nlohmann::json::type_error::create(302, "this is no whole number", &json);
  return json.get<Number>();
}

/// The same of a member that may be absent.
template <class Number>
Number whole_number(const nlohmann::json& json, const char* key, Number absent) {
  const auto& members = json.get_ref<const nlohmann::json::object_t&>();
  const auto found = members.find(key);
  return found == members.end() ? absent : whole_number<Number>(found->second);
}

} // namespace model_validator::exported_program
