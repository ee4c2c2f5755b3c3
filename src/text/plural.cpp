#include "text/plural.h"

#include "text/separators.h"

namespace model_validator {

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string of_all(std::size_t count, std::size_t all, const std::string& noun) {
  return with_separators(count) + " of " + with_separators(all) + " " + noun +
         (all == 1 ? "" : "s");
}

} // namespace model_validator
