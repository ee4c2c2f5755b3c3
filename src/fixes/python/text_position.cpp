#include "fixes/python/text_position.h"

#include <algorithm>

namespace model_validator::fixes {

LineStarts::LineStarts(std::string_view text) : starts_{0} {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    starts_.push_back(at + 1);
}

std::string_view LineStarts::line(std::string_view text, int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > starts_.size()) return {};
  const std::string_view rest = text.substr(starts_[static_cast<std::size_t>(number) - 1]);
  return rest.substr(0, rest.find('\n'));
}

/// Columns count characters.
TextPosition LineStarts::position(std::string_view text, std::size_t offset) const {
  const auto line = std::prev(std::upper_bound(starts_.begin(), starts_.end(), offset));
  const std::string_view before = text.substr(*line, offset - *line);
  return {static_cast<int>(line - starts_.begin()) + 1,
          static_cast<int>(std::ranges::count_if(
              before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }))};
}

std::vector<Edit> edits_in(const std::string& path, const std::string& text,
                           const LineStarts& lines, const std::vector<TextEdit>& edits) {
  std::vector<Edit> found;
  for (const TextEdit& edit : edits)
    found.push_back(
        {path, lines.position(text, edit.begin), lines.position(text, edit.end), edit.text});
  return found;
}

} // namespace model_validator::fixes
