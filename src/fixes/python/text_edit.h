#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// A replacement of the bytes from `begin` up to `end` of a text; an insertion where they are
/// equal.
struct TextEdit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  /// Sorts insertions at one place: what opens a longer expression comes first, what closes one
  /// last.
  std::ptrdiff_t rank = 0;
  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// Sorts edits and removes duplicates.
void sort_edits(std::vector<TextEdit>& edits);

/// Whether two edits replace the same bytes, or one writes inside what the other replaces.
bool edits_overlap(const std::vector<TextEdit>& sorted);

/// Gives each edit the line ending of the line that it begins on.
void end_lines_as(const std::string& text, std::vector<TextEdit>& edits);

/// The start of the line of a place.
std::size_t start_of_line(std::string_view text, std::size_t at);

/// The end of the line of a place, before what ends it.
std::size_t end_of_line(const std::string& text, std::size_t at);

/// The line of a place, without its end.
inline std::string_view line_around(std::string_view text, std::size_t at) {
  const std::size_t begin = start_of_line(text, at);
  return text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
}

/// The text with the edits made. @param sorted  without overlaps
std::string apply_edits(const std::string& text, const std::vector<TextEdit>& sorted);

} // namespace model_validator::fixes
