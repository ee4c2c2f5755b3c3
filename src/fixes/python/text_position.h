#pragma once

#include "fixes/python/text_edit.h"

#include <model_validator/diagnostic.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// Where the lines of a text begin.
class LineStarts {
public:
  explicit LineStarts(std::string_view text);

  /// A line, counted from 1, without its end; empty where there is none.
  std::string_view line(std::string_view text, int number) const;
  TextPosition position(std::string_view text, std::size_t offset) const;

private:
  std::vector<std::size_t> starts_;
};

/// Edits of a file by lines and columns, as reports have them.
std::vector<Edit> edits_in(const std::string& path, const std::string& text,
                           const LineStarts& lines, const std::vector<TextEdit>& edits);

} // namespace model_validator::fixes
