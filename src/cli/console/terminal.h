#pragma once

#include <cstddef>

namespace model_validator::cli {

enum class Stream { output, error };
enum class ColorChoice { automatic, always, never };

bool is_terminal(Stream stream);

/// `automatic` colours a terminal, unless NO_COLOR is set or the terminal is `dumb`.
bool wants_color(ColorChoice choice, Stream stream);

/// Columns of the terminal; 0 where the stream is not one.
std::size_t terminal_width(Stream stream);

} // namespace model_validator::cli
