#include "text/printed_lines.h"

#include "text/escape.h"

#include <model_validator/data/words.h>

namespace model_validator {

std::vector<std::string> printed_lines(std::string_view printed) {
  std::vector<std::string> lines;
  while (!printed.empty())
    if (const auto line = take_before('\n', printed); !line.empty())
      lines.push_back(escape_lines(std::string(line)));
  return lines;
}

} // namespace model_validator
