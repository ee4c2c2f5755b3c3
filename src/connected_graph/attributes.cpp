#include "connected_graph/attributes.h"

#include <charconv>

namespace model_validator {
namespace {

std::string python(bool value) { return value ? "True" : "False"; }
std::string python(std::int64_t value) { return std::to_string(value); }

std::string python(double value) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  std::string text(std::begin(digits), end);
  const bool looks_integral = text.find_first_not_of("-0123456789") == std::string::npos;
  return looks_integral ? text + ".0" : text;
}

std::string python(const std::string& value) {
  std::string quoted = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

template <class T> std::string python(const std::vector<T>& values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + python(static_cast<T>(values[i]));
  return text + (values.size() == 1 ? ",)" : ")");
}

std::string python(std::monostate) { return "None"; }

} // namespace

std::string to_python(const AttributeValue& value) {
  return std::visit([](const auto& v) { return python(v); }, value);
}

const AttributeValue* find_attribute(const std::vector<Attribute>& attributes,
                                     std::string_view name) {
  for (const Attribute& attribute : attributes)
    if (attribute.name == name) return &attribute.value;
  return nullptr;
}

std::optional<std::int64_t> integer_of(const std::vector<Attribute>& attributes,
                                       std::string_view name) {
  const auto* number = find_attribute<std::int64_t>(attributes, name);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

bool is_true(const std::vector<Attribute>& attributes, std::string_view name) {
  const bool* value = find_attribute<bool>(attributes, name);
  return value != nullptr ? *value : integer_of(attributes, name).value_or(0) != 0;
}

} // namespace model_validator
