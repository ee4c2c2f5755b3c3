#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace model_validator {

/// Cuts off and returns what a text has before a mark, and drops the mark; all of the text where it
/// has none.
constexpr std::string_view take_before(char mark, std::string_view& text) {
  const std::string_view taken = text.substr(0, std::min(text.find(mark), text.size()));
  text.remove_prefix(std::min(taken.size() + 1, text.size()));
  return taken;
}

/// The words of a list that has a space between each two of them.
inline std::vector<std::string_view> words_in(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) words.push_back(take_before(' ', list));
  return words;
}

/// A text that a template can be given.
template <std::size_t size> struct WordList {
  consteval WordList(const char (&text)[size]) { std::copy_n(text, size, letters.begin()); }
  constexpr std::string_view text() const { return {letters.data(), size - 1}; }
  std::array<char, size> letters{};
};

/// The same of a list that is written in the code: `word_array<"view reshape">` is an array of two.
template <WordList list>
inline constexpr auto word_array = [] {
  constexpr std::string_view text = list.text();
  std::array<std::string_view, std::ranges::count(text, ' ') + 1> found;
  std::string_view rest = text;
  for (std::string_view& word : found) word = take_before(' ', rest);
  return found;
}();

/// What stands beside a word in a list of pairs, `word_array<"clip=clamp concat=cat">`; empty where
/// it stands in none.
template <class Pairs>
constexpr std::string_view paired_with(std::string_view word, const Pairs& pairs) {
  for (const std::string_view pair : pairs)
    if (pair.starts_with(word) && pair.substr(word.size()).starts_with('='))
      return pair.substr(word.size() + 1);
  return {};
}

} // namespace model_validator
