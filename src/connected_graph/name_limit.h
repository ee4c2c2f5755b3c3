#pragma once

#include <model_validator/error.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace model_validator {

/// Limits names that a graph repeats: a module's path, a class, an input, a weight, an attribute. A
/// file holds each once, but every op, value and instance repeats it.
/// @throws Error (`too-large`) if longer than 4096 characters
inline void require_short_name(std::string_view name) {
  constexpr std::size_t longest = 4096;
  if (name.size() <= longest) return;
  throw Error(ErrorKind::too_large, "",
              "a name is " + std::to_string(name.size()) + " characters long",
              "do not trust this file; it was not made by an exporter");
}

} // namespace model_validator
