#include "text/width.h"

#include "text/code_points.h"

namespace model_validator {
namespace {

/// A line with one more word, or the next line when the word does not fit.
void add_word(std::vector<std::string>& lines, std::string_view word, std::size_t width) {
  const bool fits =
      !lines.empty() &&
      (lines.back().empty() || display_width(lines.back()) + 1 + display_width(word) <= width);
  if (!fits) {
    lines.emplace_back(word);
    return;
  }
  if (!lines.back().empty()) lines.back() += ' ';
  lines.back() += word;
}

void wrap_paragraph(std::vector<std::string>& lines, std::string_view text, std::size_t width) {
  lines.emplace_back();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) add_word(lines, text.substr(0, end), width);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

} // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for_each_code_point(text, [&](const CodePoint& point) {
    width += point.value < 0 ? 1 : static_cast<std::size_t>(utf8proc_charwidth(point.value));
  });
  return width;
}

std::string_view first_characters(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  for_each_code_point(text, [&](const CodePoint& point) {
    if (characters == 0) return;
    --characters;
    bytes += point.bytes.size();
  });
  return text.substr(0, bytes);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    wrap_paragraph(lines, text.substr(0, end), width);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

} // namespace model_validator
