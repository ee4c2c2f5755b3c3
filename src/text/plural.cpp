#include "text/plural.h"

namespace model_validator {

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

} // namespace model_validator
