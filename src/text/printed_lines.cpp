#include "text/printed_lines.h"

#include "text/escape.h"

#include <algorithm>

namespace model_validator {

std::vector<std::string> printed_lines(std::string_view printed) {
  std::vector<std::string> lines;
  while (!printed.empty()) {
    const auto end = std::min(printed.find('\n'), printed.size());
    if (end > 0) lines.push_back(escape_lines(std::string(printed.substr(0, end))));
    printed.remove_prefix(std::min(end + 1, printed.size()));
  }
  return lines;
}

} // namespace model_validator
