#include "text/separators.h"

#include <cstddef>

namespace model_validator {

std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), "'");
  return digits;
}

} // namespace model_validator
