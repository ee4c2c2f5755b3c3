#include "text/guarded_output.h"

#include "text/escape.h"

#include <algorithm>
#include <utf8proc.h>

namespace model_validator {
namespace {

bool is_plain(char c) { return c == '\t' || (c >= ' ' && c <= '~'); }

/// The length of `\x1b[1;31m` at the start of a text; 0 where there is none.
std::size_t color_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const auto end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// Escapes what is between colours.
std::string without_controls(std::string_view text, bool color) {
  std::string shown;
  const auto stays = [&](std::size_t at) {
    return text[at] == '\t' || (color && color_length(text.substr(at)) > 0);
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !stays(end)) ++end;
    shown += escape(text.substr(at, end - at));
    if (end == text.size()) break;
    const std::size_t length = std::max<std::size_t>(1, color_length(text.substr(end)));
    shown += text.substr(end, length);
    at = end + length;
  }
  return shown;
}

/// The length of the blank, of any script, or the colour that a text begins with.
std::size_t invisible_length(std::string_view text) {
  utf8proc_int32_t point = -1;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &point);
  const bool blank =
      size > 0 && (point == '\t' || utf8proc_category(point) == UTF8PROC_CATEGORY_ZS);
  return blank ? static_cast<std::size_t>(size) : color_length(text);
}

void disarm_start(std::string& line) {
  std::size_t at = 0;
  while (const std::size_t length = invisible_length(std::string_view(line).substr(at)))
    at += length;
  if (line.compare(at, 2, "::") == 0) line.replace(at, 1, "\\x3a");
}

} // namespace

/// `##[warning]` and `##vso[task.setvariable]`: two signs, perhaps a word, and a bracket.
std::size_t find_command_word(std::string_view text, std::size_t from) {
  for (auto at = text.find("##", from); at != std::string_view::npos;
       at = text.find("##", at + 1)) {
    const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at + 2);
    if (end != std::string_view::npos && text[end] == '[') return at;
  }
  return std::string_view::npos;
}

std::string guarded_line(std::string_view line, bool color, bool begins) {
  const bool plain = std::ranges::all_of(line, is_plain);
  std::string shown = plain ? std::string(line) : without_controls(line, color);
  if (begins) disarm_start(shown);
  for (auto at = find_command_word(shown); at != std::string::npos;
       at = find_command_word(shown, at))
    shown.replace(at, 1, "\\x23");
  return shown;
}

bool GuardedBuffer::pass_on(std::string_view part) {
  const std::string shown = guarded_line(part, color_, begins_);
  const auto size = static_cast<std::streamsize>(shown.size());
  return target_.sputn(shown.data(), size) == size;
}

bool GuardedBuffer::pass_on_lines() {
  std::size_t from = 0;
  bool passed = true;
  for (auto end = pending_.find('\n'); end != std::string::npos && passed;
       end = pending_.find('\n', from)) {
    passed = pass_on(std::string_view(pending_).substr(from, end - from)) &&
             target_.sputc('\n') != traits_type::eof();
    begins_ = true;
    from = end + 1;
  }
  pending_.erase(0, from);
  return passed;
}

GuardedBuffer::int_type GuardedBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof()))
    return traits_type::not_eof(character);
  const char c = traits_type::to_char_type(character);
  return xsputn(&c, 1) == 1 ? character : traits_type::eof();
}

std::streamsize GuardedBuffer::xsputn(const char* text, std::streamsize count) {
  const std::string_view part(text, static_cast<std::size_t>(count));
  pending_ += part;
  const bool whole = part.find('\n') == std::string_view::npos || pass_on_lines();
  return whole ? count : 0;
}

int GuardedBuffer::sync() {
  bool passed = pass_on_lines();
  if (passed && !pending_.empty()) {
    passed = pass_on(pending_);
    begins_ = false;
    pending_.clear();
  }
  return passed && target_.pubsync() == 0 ? 0 : -1;
}

} // namespace model_validator
