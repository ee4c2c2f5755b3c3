#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace model_validator::fixes {

/// At least as many tokens as a parser can find in Python source: words, other characters, ends of
/// statements, and where blocks begin and end, which is on lines that begin further right than the
/// one before.
std::size_t tokens_at_most(std::string_view source);

/// Python source with blanks in place of what its comments and strings say, so that all else stays
/// where it is. Strings with expressions in them (`f"{x}"`) are left alone.
std::string without_prose(std::string source);

} // namespace model_validator::fixes
