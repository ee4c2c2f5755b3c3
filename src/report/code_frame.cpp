#include "report/code_frame.h"

#include "text/escape.h"
#include "text/width.h"

#include <algorithm>

namespace model_validator {
namespace {

/// Where the carets go, in characters. Without a column it is all of the code on the line.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

Span span_of(const SourceLocation& source, const std::string& code) {
  const std::size_t all = characters(code);
  const std::size_t start = std::min(code.find_first_not_of(" \t"), all);
  const auto column = static_cast<std::size_t>(std::max(source.column, 0));
  if (source.length > 0 && column < all)
    return {column, std::min(all, column + static_cast<std::size_t>(source.length))};
  if (column > 0 && column < all) return {column, column + 1};
  return {start, all};
}

/// A long line is cut so that the span stays in sight.
void clip(CodeFrame& frame, std::size_t width) {
  if (width < 20 || display_width(frame.code) <= width) return;
  const std::size_t indent = frame.carets.find('^');
  const std::size_t cut = indent == std::string::npos || indent + 10 < width
                              ? 0
                              : std::min(indent - 5, display_width(frame.code));
  const std::string_view from = frame.code;
  const std::string head(first_characters(from, cut));
  std::string rest(from.substr(head.size()));
  const std::size_t marks = cut > 0 ? 2 : 1;
  if (display_width(rest) > width - (marks - 1))
    rest = std::string(first_characters(rest, width - marks)) + "…";
  frame.code = (cut > 0 ? "…" : "") + rest;
  if (cut > 0) frame.carets = " " + frame.carets.substr(std::min(cut, frame.carets.size()));
  frame.carets.resize(std::min(frame.carets.size(), width));
}

} // namespace

CodeFrame code_frame(const DiagnosticLocation& location, std::size_t width) {
  std::string line = location.code;
  line.erase(std::min(line.find_last_not_of(" \t\r\n") + 1, line.size()));
  if (line.find_first_not_of(" \t") == std::string::npos) return {};
  const Span span = span_of(location.source, line);
  const std::string_view before = first_characters(line, span.begin);
  const std::string_view marked =
      first_characters(std::string_view(line).substr(before.size()), span.end - span.begin);
  const std::string shown_before = escape(untabbed(before));
  const std::string shown_marked = escape(untabbed(marked));
  CodeFrame frame;
  frame.code = shown_before + shown_marked +
               escape(untabbed(std::string_view(line).substr(before.size() + marked.size())));
  frame.carets = std::string(display_width(shown_before), ' ') +
                 std::string(std::max<std::size_t>(1, display_width(shown_marked)), '^');
  clip(frame, width);
  return frame;
}

} // namespace model_validator
