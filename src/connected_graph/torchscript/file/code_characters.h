#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

namespace model_validator::torchscript {

/// Whether `c` may occur in a name in TorchScript code.
inline bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

inline bool opens_bracket(char c) { return c == '(' || c == '[' || c == '{'; }
inline bool closes_bracket(char c) { return c == ')' || c == ']' || c == '}'; }

/// Whether the character is the `=` of an assignment, and not of a comparison.
inline bool assigns(std::string_view code, std::size_t at) {
  constexpr std::string_view before = "=!<>";
  if (code[at] != '=' || (at + 1 < code.size() && code[at + 1] == '=')) return false;
  return at == 0 || before.find(code[at - 1]) == std::string_view::npos;
}

} // namespace model_validator::torchscript
