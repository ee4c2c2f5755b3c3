#pragma once

#include "text/guarded_output.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

using Json = nlohmann::ordered_json;

inline Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

/// The sizes of a tensor; null is a size or a shape that is unknown.
inline Json shape_json(const std::optional<std::vector<std::int64_t>>& shape) {
  if (!shape) return {};
  Json sizes = Json::array();
  for (const std::int64_t size : *shape) sizes.push_back(size < 0 ? Json() : Json(size));
  return sizes;
}

/// What `to_json` makes of each of several things.
template <class Items, class ToJson> Json json_array(const Items& items, ToJson to_json) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(to_json(item));
  return array;
}

/// JSON in ASCII alone, so that nothing in a model's names reaches a terminal as a control
/// character, or a build server as a command; bytes that are not UTF-8 become U+FFFD.
inline std::string json_text(const Json& value, int indent = -1) {
  std::string text = value.dump(indent, ' ', true, Json::error_handler_t::replace);
  // DEL is a control character too, and can only stand in a string.
  for (std::size_t at = text.find('\x7f'); at != std::string::npos; at = text.find('\x7f', at))
    text.replace(at, 1, "\\u007f");
  for (std::size_t at = find_command_word(text); at != std::string::npos;
       at = find_command_word(text, at))
    text.replace(at, 1, "\\u0023");
  return text;
}

/// The same, on lines of their own, each indented by `margin`.
inline std::string json_block(const Json& value, std::size_t margin) {
  std::string block(margin, ' ');
  for (const char c : json_text(value, 2)) {
    block += c;
    if (c == '\n') block.append(margin, ' ');
  }
  return block;
}

} // namespace model_validator
