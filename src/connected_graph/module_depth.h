#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace model_validator {

/// No network nests its modules as deep. Every module around one is kept with its path, which takes
/// memory with the square of the depth.
constexpr std::size_t deepest_module = 100;

/// Whether the path of a module has more levels than that.
inline bool is_nested_beyond_sense(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) > deepest_module;
}

} // namespace model_validator
