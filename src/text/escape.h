#pragma once

#include <string>
#include <string_view>

namespace model_validator {

/// Text from a model, made fit to be shown: control characters, marks that reorder or hide text,
/// noncharacters, and bytes that are not UTF-8 become visible escapes (`\x1b`, `\u202e`).
std::string escape(std::string_view text);

/// The same, but line breaks stay and tabs become spaces: for text of several lines.
std::string escape_lines(std::string_view text);

/// A text with spaces for its tabs.
std::string untabbed(std::string_view text);

} // namespace model_validator
