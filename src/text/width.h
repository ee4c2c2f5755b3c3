#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// Columns that the text takes on a terminal; East Asian characters take two.
std::size_t display_width(std::string_view text);

/// The first bytes of `text`, up to `characters` code points.
std::string_view first_characters(std::string_view text, std::size_t characters);

/// Breaks a text at spaces into lines of at most `width` columns. A longer word gets a line of its
/// own.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

} // namespace model_validator
