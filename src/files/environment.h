#pragma once

#include <cstdlib>
#include <string>

namespace model_validator {

/// Empty where it is not set.
inline std::string environment_variable(const char* name) {
  const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

} // namespace model_validator
