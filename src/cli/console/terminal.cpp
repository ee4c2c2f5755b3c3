#include "cli/console/terminal.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace model_validator::cli {
namespace {

int descriptor(Stream stream) { return stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO; }

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace

bool is_terminal(Stream stream) { return ::isatty(descriptor(stream)) == 1; }

bool wants_color(ColorChoice choice, Stream stream) {
  if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
  return is_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::size_t terminal_width(Stream stream) {
  if (!is_terminal(stream)) return 0;
  winsize size{};
  if (::ioctl(descriptor(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string_view columns = environment("COLUMNS");
  std::size_t width = 80;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  return width;
}

} // namespace model_validator::cli
