#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace model_validator {

/// No network nests its modules this deep. All enclosing modules are kept with their paths, which
/// takes memory quadratic in the depth.
constexpr std::size_t max_module_depth = 100;

/// Whether the path of a module has more levels than that.
inline bool is_nested_too_deeply(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) > max_module_depth;
}

} // namespace model_validator
