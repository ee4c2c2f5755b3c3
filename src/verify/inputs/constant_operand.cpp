#include "verify/inputs/constant_operand.h"

#include <string>
#include <vector>

namespace model_validator::verify {
namespace {

template <class T> std::optional<double> only(const AttributeValue& value) {
  const auto* list = std::get_if<std::vector<T>>(&value);
  return list != nullptr && list->size() == 1 ? std::optional(static_cast<double>(list->front()))
                                              : std::nullopt;
}

} // namespace

std::optional<double> number_in(const AttributeValue& value) {
  constexpr double lowest = -3e38;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && *text == "-Infinity")
    return lowest;
  const auto real = only<double>(value);
  return real ? real : only<std::int64_t>(value);
}

std::optional<double> constant_of(const Op& op, std::initializer_list<std::string_view> names) {
  for (const Attribute& attribute : op.attributes)
    for (const std::string_view name : names)
      if (attribute.name == name) return number_in(attribute.value);
  return std::nullopt;
}

} // namespace model_validator::verify
