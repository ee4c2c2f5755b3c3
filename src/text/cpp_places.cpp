#include "text/cpp_places.h"

#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// `core.cpp:84`, also in brackets or before a colon.
bool is_cpp_place(std::string_view word) {
  constexpr std::array<std::string_view, 7> endings{
      ".cpp:", ".cc:", ".h:", ".hpp:", ".cu:", ".cuh:", ".inl:"};
  return std::ranges::any_of(endings, [&](std::string_view ending) {
    const auto at = word.find(ending);
    return at != std::string_view::npos && at + ending.size() < word.size() &&
           is_digit(word[at + ending.size()]);
  });
}

/// Where the bracket that opens at `open` is closed; npos if nowhere.
std::size_t closing(std::string_view text, std::size_t open, char opening, char closed) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opening) ++depth;
    if (text[i] == closed && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string_view left_trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

/// What follows `int64_t ns::f(int, int) const [with T = long]`.
std::string_view after_signature(std::string_view text) {
  const auto open = text.find('(');
  const auto scope = text.find("::");
  if (open == std::string_view::npos || scope == std::string_view::npos || scope > open)
    return text;
  const auto close = closing(text, open, '(', ')');
  if (close == std::string_view::npos || text.substr(0, open).find(". ") != std::string_view::npos)
    return text;
  std::string_view rest = left_trimmed(text.substr(close + 1));
  if (rest.starts_with("const ")) rest = left_trimmed(rest.substr(6));
  if (!rest.starts_with("[with ")) return rest;
  const auto end = closing(rest, 0, '[', ']');
  return end == std::string_view::npos ? rest : left_trimmed(rest.substr(end + 1));
}

} // namespace

std::string without_cpp_places(std::string_view message) {
  std::string kept;
  bool found = false;
  const std::string_view all = message;
  while (!message.empty()) {
    const std::string_view word = take_before(' ', message);
    if (is_cpp_place(word)) {
      found = true;
      message = after_signature(left_trimmed(message));
    } else {
      kept.append(kept.empty() ? "" : " ").append(word);
    }
  }
  return found ? kept : std::string(all);
}

} // namespace model_validator
