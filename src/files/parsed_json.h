#pragma once

#include "files/regular_file.h"

#include <nlohmann/json.hpp>

namespace model_validator {

/// JSON that anyone may have written. A member is found by its name at once, however many there
/// are; the `Json` that is written, which keeps their order, goes through all of them.
using ParsedJson = nlohmann::json;

/// @returns what the text says; discarded if it is not JSON, or nested deeper than `most`
inline ParsedJson parse_json(const std::string& text, int most) {
  if (is_nested_deeper(text, most)) return ParsedJson(ParsedJson::value_t::discarded);
  return ParsedJson::parse(text, nullptr, false);
}

} // namespace model_validator
