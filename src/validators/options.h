#pragma once

#include <model_validator/validator.h>

#include <string_view>

namespace model_validator {

/// An option of a rule as the configuration gives it, else its default.
template <class T> T option(const RuleOptions& options, std::string_view name, T fallback) {
  const auto found = options.find(name);
  const T* value = found == options.end() ? nullptr : std::get_if<T>(&found->second);
  return value ? *value : fallback;
}

} // namespace model_validator
