#include "partition/file_names.h"

#include <algorithm>
#include <cctype>

namespace model_validator::partition {

std::string subgraph_file_name(std::size_t number, std::size_t count, const std::string& target,
                               const std::string& ending) {
  const std::size_t digits = std::max<std::size_t>(2, std::to_string(count - 1).size());
  std::string name = std::to_string(number);
  name.insert(0, digits - std::min(digits, name.size()), '0');
  name = "subgraph_" + name + "_";
  for (const char c : target)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ? c : '_';
  return name + ending;
}

} // namespace model_validator::partition
