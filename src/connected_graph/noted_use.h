#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace model_validator {

/// Unusual ways in which an operator of a file takes or yields its values, which an exporter or
/// converter may not support. The front end notes them; a target's profile handles them in
/// constraints on `use`. `docs/target-tables.md` says what each of them means.
enum class NotedUse {
  of_an_if,
  from_outside,
  dynamic,
  slice,
  iterated,
  picked,
  mask_after_none,
  compared,
  attribute,
  attribute_returned,
  empty_list,
  dtype_of_a_tensor,
  quotient,
  other_rank,
  counted_while,
};

/// By `NotedUse`.
inline constexpr std::array<std::string_view, 15> noted_uses = {
    "of an if",   "from outside",      "dynamic",  "slice",      "iterated",
    "picked",     "mask after None",   "compared", "attribute",  "attribute returned",
    "empty list", "dtype of a tensor", "quotient", "other rank", "counted while"};

inline constexpr std::string_view word_of(NotedUse use) {
  return noted_uses[static_cast<std::size_t>(use)];
}

/// Noted where an element of a constant is read: this, followed by the type of the constant.
inline constexpr std::string_view constant_use = "constant ";

/// Noted beside `attribute`: this, followed by the name of the argument that is read from one.
inline constexpr std::string_view attribute_use = "attribute ";

inline bool is_noted_use(std::string_view word) {
  return word.starts_with(constant_use) || word.starts_with(attribute_use) ||
         std::find(noted_uses.begin(), noted_uses.end(), word) != noted_uses.end();
}

} // namespace model_validator
