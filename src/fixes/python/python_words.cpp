#include "fixes/python/python_words.h"

#include <algorithm>
#include <cctype>

namespace model_validator::fixes {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A string literal, or as much of one as there is.
struct Literal {
  std::size_t inside = 0; ///< where its contents begin
  std::size_t end = 0;    ///< of the contents
  std::size_t next = 0;   ///< after the quotes that close it
};

/// @param begin  of the quotes that open it
Literal literal_at(std::string_view source, std::size_t begin) {
  const char quote = source[begin];
  const bool is_long = source.substr(begin).starts_with(std::string(3, quote));
  const std::string quotes(is_long ? 3 : 1, quote);
  std::size_t at = begin + quotes.size();
  const std::size_t inside = at;
  while (at < source.size() && !source.substr(at).starts_with(quotes)) {
    if (source[at] == '\n' && !is_long) return {inside, at, at};
    at += source[at] == '\\' ? 2 : 1;
  }
  at = std::min(at, source.size());
  return {inside, at, std::min(at + quotes.size(), source.size())};
}

void blank(std::string& source, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (source[i] != '\n') source[i] = ' ';
}

} // namespace

std::size_t tokens_at_most(std::string_view source) {
  std::size_t tokens = 0;
  std::size_t before = 0;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, source.find('\n'));
    source.remove_prefix(std::min(line.size() + 1, source.size()));
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const bool is_odd =
        begin < line.size() && std::isspace(static_cast<unsigned char>(line[begin])) != 0;
    tokens += begin > before || is_odd ? 3 : 1;
    before = begin;
    bool in_word = false;
    for (const char c : line.substr(begin)) {
      if (c != ' ' && !(is_word(c) && in_word)) ++tokens;
      in_word = is_word(c);
    }
  }
  return tokens;
}

std::string without_prose(std::string source) {
  bool has_expressions = false; // a string that begins here would be one with expressions
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (c == '#') {
      const std::size_t end = std::min(source.find('\n', at), source.size());
      blank(source, at + 1, end);
      at = end;
    } else if (c == '"' || c == '\'') {
      const Literal literal = literal_at(source, at);
      if (!has_expressions) blank(source, literal.inside, literal.end);
      at = literal.next;
    } else {
      ++at;
    }
    has_expressions = is_word(c) && (has_expressions || c == 'f' || c == 'F');
  }
  return source;
}

} // namespace model_validator::fixes
