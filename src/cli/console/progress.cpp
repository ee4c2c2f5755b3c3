#include "cli/console/progress.h"

#include "cli/console/terminal.h"

#include <algorithm>
#include <iostream>

namespace model_validator::cli {
namespace {

constexpr std::size_t few = 10;

} // namespace

Progress::Progress(std::size_t total, bool wanted)
    : total_(total), shown_(wanted && total > few && is_terminal(Stream::error)) {}

void Progress::advance() {
  ++done_;
  if (!shown_ || done_ >= total_) return;
  const std::size_t width = std::min<std::size_t>(60, terminal_width(Stream::error));
  std::cerr << '\r' << progress_bar(done_, total_, width) << std::flush;
}

void Progress::erase() {
  if (shown_ && done_ > 0) std::cerr << "\r\x1b[K" << std::flush;
}

void StatusLine::show(std::string_view what) const {
  if (is_terminal(Stream::error))
    std::cerr << "\r\x1b[K" << what << (what.empty() ? "" : " …") << std::flush;
}

std::string progress_bar(std::size_t done, std::size_t total, std::size_t width) {
  const std::string count = std::to_string(done) + "/" + std::to_string(total);
  if (width < count.size() + 8) return count;
  const std::size_t room = width - count.size() - 4;
  const std::size_t filled = total == 0 ? 0 : room * done / total;
  return count + " [" + std::string(filled, '#') + std::string(room - filled, ' ') + "]";
}

} // namespace model_validator::cli
