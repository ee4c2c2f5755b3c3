#include "text/escape.h"

#include "text/code_points.h"

#include <model_validator/data/contains.h>

#include <array>
#include <cstdio>
#include <utf8proc.h>

namespace model_validator {
namespace {

/// Code points that are not characters in any version of Unicode: XML may not contain U+FFFE or
/// U+FFFF.
bool is_noncharacter(std::int32_t point) {
  return (point & 0xFFFE) == 0xFFFE || (point >= 0xFDD0 && point <= 0xFDEF);
}

bool is_harmless(std::int32_t point) {
  if (point >= ' ' && point <= '~') return true; // most of what is printed
  if (point < 0 || is_noncharacter(point)) return false;
  if (utf8proc_get_property(point)->ignorable) return false; // shown as nothing at all
  constexpr std::array harmful{UTF8PROC_CATEGORY_CC,         // control
                               UTF8PROC_CATEGORY_CF,         // direction marks, zero-width joiners
                               UTF8PROC_CATEGORY_CS,         // surrogate
                               UTF8PROC_CATEGORY_ZL,         // line and paragraph separators
                               UTF8PROC_CATEGORY_ZP};
  return !contains(harmful, utf8proc_category(point));
}

std::string visible(const CodePoint& point) {
  std::array<char, 16> digits{};
  if (point.value < 0 || point.value < 0x100)
    std::snprintf(digits.data(), digits.size(), "\\x%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(
                      point.value < 0 ? point.bytes.front() : point.value)));
  else
    std::snprintf(digits.data(), digits.size(), point.value < 0x10000 ? "\\u%04x" : "\\U%08x",
                  static_cast<unsigned>(point.value));
  return digits.data();
}

template <class Keep> std::string escape_unless(std::string_view text, Keep keep) {
  std::string shown;
  shown.reserve(text.size());
  for_each_code_point(text, [&](const CodePoint& point) {
    if (keep(point.value) || is_harmless(point.value))
      shown += point.bytes;
    else
      shown += visible(point);
  });
  return shown;
}

} // namespace

std::string escape(std::string_view text) {
  return escape_unless(text, [](std::int32_t) { return false; });
}

std::string escape_lines(std::string_view text) {
  return escape_unless(untabbed(text), [](std::int32_t point) { return point == '\n'; });
}

std::string untabbed(std::string_view text) {
  std::string spaced;
  for (const char c : text)
    if (c == '\t')
      spaced.append(4, ' ');
    else
      spaced += c;
  return spaced;
}

} // namespace model_validator
