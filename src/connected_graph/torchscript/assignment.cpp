#include "connected_graph/torchscript/assignment.h"

#include "connected_graph/torchscript/file/code_characters.h"

#include <algorithm>
#include <string_view>

namespace model_validator::torchscript {
namespace {

constexpr auto nowhere = std::string_view::npos;

/// The first assigning `=` of a line: not `==`, `<=` or `!=`, nor that of an argument.
std::size_t assigning(std::string_view line) {
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '#') break;
    if (opens_bracket(c)) ++depth;
    if (closes_bracket(c)) --depth;
    if (depth <= 0 && assigns(line, i)) return i;
  }
  return nowhere;
}

/// Where the left side names an object's attribute itself, not a part of it.
std::size_t target(std::string_view left, const std::string& attribute) {
  const std::string name = "." + attribute;
  for (auto at = left.find(name); at != nowhere; at = left.find(name, at + 1)) {
    std::size_t end = at + name.size();
    while (end < left.size() && left[end] == ' ') ++end;
    const bool whole = end == left.size() || (!in_word(left[end]) && left[end] != '.' &&
                                              left[end] != '[' && left[end] != '(');
    if (whole) return at;
  }
  return nowhere;
}

/// Where the left side names a variable itself, not an attribute or a part of it.
std::size_t variable_in(std::string_view left, const std::string& variable) {
  for (auto at = left.find(variable); at != nowhere; at = left.find(variable, at + 1)) {
    const std::size_t end = at + variable.size();
    const bool begins = at == 0 || (!in_word(left[at - 1]) && left[at - 1] != '.');
    const bool ends =
        end == left.size() || (!in_word(left[end]) && left[end] != '.' && left[end] != '[');
    if (begins && ends) return at;
  }
  return nowhere;
}

std::size_t line_begin(const std::string& code, std::size_t at) {
  const auto before = at == 0 ? std::string::npos : code.rfind('\n', at - 1);
  return before == std::string::npos ? 0 : before + 1;
}

} // namespace

std::optional<std::pair<std::size_t, std::size_t>>
assignment_from(const std::string& code, const std::string& variable, std::size_t near) {
  for (std::size_t begin = line_begin(code, std::min(near, code.size())); begin < code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const std::string_view line = std::string_view(code).substr(begin, end - begin);
    const std::size_t equal = assigning(line);
    const std::size_t at =
        equal == nowhere ? nowhere : variable_in(line.substr(0, equal), variable);
    if (at != nowhere) return {{begin + at, begin + at + variable.size()}};
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<std::pair<std::size_t, std::size_t>>
assignment_before(const std::string& code, const std::string& variable, std::size_t near) {
  const std::string before = code.substr(0, line_begin(code, std::min(near, code.size())));
  std::optional<std::pair<std::size_t, std::size_t>> last;
  for (std::size_t from = 0; auto next = assignment_from(before, variable, from);) {
    last = next;
    from = before.find('\n', next->second) + 1;
    if (from == 0) break;
  }
  return last;
}

std::optional<std::pair<std::size_t, std::size_t>> return_from(const std::string& code,
                                                               std::size_t near) {
  constexpr std::string_view word = "return";
  const auto first = line_begin(code, std::min(near, code.size()));
  for (auto at = code.find(word, first); at != nowhere; at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const auto before = code.find_last_not_of(' ', at == 0 ? nowhere : at - 1);
    const bool begins = at == 0 || before == nowhere || code[before] == '\n' || code[before] == ':';
    if (begins && (end == code.size() || !in_word(code[end]))) return {{at, end}};
  }
  return std::nullopt;
}

std::optional<std::pair<std::size_t, std::size_t>>
assignment_of(const std::string& code, const std::string& attribute, std::size_t near) {
  near = std::min(near, code.size());
  const auto lines_before =
      std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(near), '\n');
  std::optional<std::pair<std::size_t, std::size_t>> best;
  std::ptrdiff_t best_distance = 0, number = 0;
  for (std::size_t begin = 0; begin < code.size(); ++number) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const std::string_view line = std::string_view(code).substr(begin, end - begin);
    const std::size_t equal = assigning(line);
    const std::size_t at = equal == nowhere ? nowhere : target(line.substr(0, equal), attribute);
    const std::ptrdiff_t distance = std::abs(number - lines_before);
    if (at != nowhere && (!best || distance <= best_distance)) {
      const auto object = line.find_last_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", at);
      best = {begin + (object == nowhere ? 0 : object + 1), begin + at + 1 + attribute.size()};
      best_distance = distance;
    }
    begin = end + 1;
  }
  return best;
}

} // namespace model_validator::torchscript
