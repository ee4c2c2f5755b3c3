#include "lint/inline_ignores.h"

#include <model_validator/data/words.h>

#include <algorithm>
#include <set>
#include <utility>

namespace model_validator {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

/// Takes `word` off the front of a text, and the blanks before it.
bool take(std::string_view& text, std::string_view word) {
  const auto begin = std::min(text.find_first_not_of(blanks), text.size());
  if (text.substr(begin, word.size()) != word) return false;
  text.remove_prefix(begin + word.size());
  return true;
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty())
    if (auto name = trimmed(take_before(',', list)); !name.empty())
      names.push_back(std::move(name));
  return names;
}

} // namespace

std::optional<InlineIgnore> parse_ignore(std::string_view line) {
  for (auto at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    std::string_view rest = line.substr(at + 1);
    if (!take(rest, "mv:") || !take(rest, "ignore[")) continue;
    const auto end = rest.find(']');
    if (end == std::string_view::npos) continue;
    return InlineIgnore{names_in(rest.substr(0, end)), trimmed(rest.substr(end + 1)), {}};
  }
  return std::nullopt;
}

std::string without_ignore(const std::string& line) {
  return parse_ignore(line) ? trimmed(line.substr(0, line.find('#'))) : line;
}

std::vector<InlineIgnore> inline_ignores(const ConnectedGraph& graph) {
  std::vector<InlineIgnore> ignores;
  std::set<std::pair<int, std::string_view>> seen;
  for (const Frame& frame : graph.frames()) {
    const SourceLocation& place = frame.location;
    if (!seen.emplace(place.line, place.file).second) continue;
    const std::string* text = graph.source_line(place.file, place.line);
    auto ignore = text ? parse_ignore(*text) : std::nullopt;
    if (!ignore) continue;
    ignore->where = {place.file, place.line, 0, 0};
    ignores.push_back(std::move(*ignore));
  }
  return ignores;
}

} // namespace model_validator
