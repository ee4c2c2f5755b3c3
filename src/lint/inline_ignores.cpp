#include "lint/inline_ignores.h"

#include "text/nearest.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cctype>
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

std::optional<InlineIgnore> well_formed(std::string_view comment) {
  if (!take(comment, "mv:") || !take(comment, "ignore[")) return std::nullopt;
  const auto end = comment.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  auto names = names_in(comment.substr(0, end));
  if (names.empty()) return std::nullopt;
  return InlineIgnore{std::move(names), trimmed(comment.substr(end + 1)), {}};
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool take_any(std::string_view& text, const std::vector<std::string_view>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return take(text, word); });
}

/// Whether a comment, in lower case, is meant to be one of ours. What other linters call it is
/// meant where something follows as it follows there, so that prose after `mv:` is none.
bool is_meant(std::string_view comment) {
  if (!take_any(comment, {"mv", "model_validator", "model-validator", "modelvalidator"}))
    return false;
  const bool colon = take(comment, ":") || take(comment, "-");
  const auto begin = std::min(comment.find_first_not_of(blanks), comment.size());
  const auto end =
      std::min(comment.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-", begin), comment.size());
  const std::string_view word = comment.substr(begin, end - begin);
  const std::string rest = trimmed(comment.substr(end));
  const bool opens = !rest.empty() && std::string_view("[(=:").find(rest[0]) != rest.npos;
  const bool near = !word.empty() && !rules::nearest(word, {"ignore"}).empty();
  if (near && (colon || opens)) return true;
  return contains(word_array<"allow disable noqa nolint off silence skip suppress">, word) &&
         (opens || (colon && rest.empty()));
}

/// What stands in the brackets, or behind whatever stands for them; empty where nothing does.
std::string names_meant(std::string_view comment) {
  const auto open = comment.find_first_of("[(=");
  if (open == std::string_view::npos) return {};
  const std::string_view rest = comment.substr(open + 1);
  return trimmed(rest.substr(0, std::min(rest.find_first_of("])"), rest.size())));
}

std::optional<InlineIgnore> mistaken(std::string_view comment) {
  constexpr std::size_t max_shown = 60; // characters
  comment = comment.substr(0, comment.find('#'));
  if (!is_meant(in_lower_case(comment))) return std::nullopt;
  const std::string names = names_meant(comment);
  InlineIgnore ignore;
  ignore.mistake = "`" + trimmed(comment).substr(0, max_shown) + "` " +
                   (names.empty() ? "names no rule" : "is not understood") +
                   ", so it hides nothing";
  ignore.remedy = names.empty() ? "say what it is to hide, such as `mv: ignore[reused-modules]`"
                                : "write `mv: ignore[" + names.substr(0, max_shown) + "]`";
  return ignore;
}

} // namespace

std::optional<InlineIgnore> parse_ignore(std::string_view line) {
  std::optional<InlineIgnore> mistake;
  for (auto at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    const std::string_view comment = line.substr(at + 1);
    if (auto ignore = well_formed(comment)) return ignore;
    if (!mistake) mistake = mistaken(comment);
  }
  return mistake;
}

std::optional<InlineIgnore> ignore_above(std::string_view line) {
  if (!take(line, "#")) return std::nullopt;
  auto ignore = well_formed(line);
  if (!ignore) return std::nullopt;
  ignore->mistake = "`mv: ignore[…]` on a line of its own hides nothing";
  ignore->remedy = "put it at the end of the line beneath";
  return ignore;
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
