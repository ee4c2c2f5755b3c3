#include "report/markdown_text.h"

#include "text/escape.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace model_validator {
namespace {

/// One backtick more than stand in a row in the text: what encloses it as code.
std::string fence_of(const std::string& text) {
  std::size_t longest = 0, row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  return std::string(longest + 1, '`');
}

std::string with_escaped_bars(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

/// Whether Markdown takes a word for nothing but a word. A colon may make a link or a picture of
/// it, unless it ends there.
bool is_plain(std::string_view word) {
  constexpr std::string_view plain = ".,;()'\"-/?=+%";
  while (word.ends_with(':')) word.remove_suffix(1);
  if (word.find("www.") != std::string_view::npos) return false;
  return std::ranges::all_of(word, [&](const char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte >= 0x80 || plain.find(c) != std::string_view::npos;
  });
}

/// Backticks of two pieces of code must not become one row.
void append(std::string& text, const std::string& piece) {
  if (text.ends_with('`') && piece.starts_with('`')) text += ' ';
  text += piece;
}

/// Words with nothing quoted among them.
void append_words(std::string& result, std::string_view text, MarkdownPlace place) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    append(result, is_plain(word) ? word : markdown_code(word, place));
    if (end < text.size()) result += ' ';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

} // namespace

std::string markdown_code(const std::string& name, MarkdownPlace place) {
  std::string text = escape(name);
  const std::string fence = fence_of(text);
  if (place == MarkdownPlace::cell) text = with_escaped_bars(text);
  const bool padded = text.empty() || text.front() == '`' || text.back() == '`';
  return padded ? fence + " " + text + " " + fence : fence + text + fence;
}

std::string markdown_text(const std::string& text, MarkdownPlace place) {
  const std::string shown = escape(text);
  std::string result;
  std::size_t done = 0;
  for (std::size_t open = shown.find('`'); open != std::string::npos;
       open = shown.find('`', done)) {
    const std::size_t close = shown.find('`', open + 1);
    if (close == std::string::npos) break;
    append_words(result, std::string_view(shown).substr(done, open - done), place);
    if (close > open + 1)
      append(result, markdown_code(shown.substr(open + 1, close - open - 1), place));
    done = close + 1;
  }
  append_words(result, std::string_view(shown).substr(done), place);
  return result;
}

} // namespace model_validator
