#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// Why the chosen ones of a list of things do not hold together; nothing where they do.
using Trial = std::function<std::optional<std::string>(const std::vector<std::size_t>& chosen)>;

/// One that does not hold with those that were kept before it.
struct Rejected {
  std::size_t index = 0;
  std::string reason;
};

struct Bisection {
  std::vector<std::size_t> kept; ///< in order; they were tried together, unless there are none
  std::vector<Rejected> rejected;
};

/// Tries all of `count` things, and halves what fails until each that does not hold is known: about
/// log2(count) trials for one. The last trial need not be of what is kept.
Bisection keep_valid(std::size_t count, const Trial& trial);

} // namespace model_validator::fixes
