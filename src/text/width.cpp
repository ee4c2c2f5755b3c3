#include "text/width.h"

#include "text/code_points.h"

#include <model_validator/data/words.h>

namespace model_validator {
namespace {

/// Lines of words; keeps the width of the last one, so that a long one costs no more than its
/// words.
class Wrapped {
public:
  explicit Wrapped(std::size_t width) : width_(width) {}

  void add_paragraph(std::string_view text) {
    begin_line();
    for (const std::string_view word : words_in(text))
      if (!word.empty()) add_word(word);
  }
  std::vector<std::string> take() { return std::move(lines_); }

private:
  void begin_line() {
    lines_.emplace_back();
    columns_ = 0;
  }
  void add_word(std::string_view word) {
    const std::size_t columns = display_width(word);
    if (!lines_.back().empty() && columns_ + 1 + columns > width_) begin_line();
    if (!lines_.back().empty()) {
      lines_.back() += ' ';
      ++columns_;
    }
    lines_.back() += word;
    columns_ += columns;
  }

  std::size_t width_;
  std::size_t columns_ = 0; ///< of the last line
  std::vector<std::string> lines_;
};

} // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for_each_code_point(text, [&](const CodePoint& point) {
    width += point.value < 0 ? 1 : static_cast<std::size_t>(utf8proc_charwidth(point.value));
  });
  return width;
}

std::string_view first_characters(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  for_each_code_point(text, [&](const CodePoint& point) {
    if (characters == 0) return;
    --characters;
    bytes += point.bytes.size();
  });
  return text.substr(0, bytes);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  Wrapped wrapped(width);
  while (true) {
    const std::size_t end = text.find('\n');
    wrapped.add_paragraph(text.substr(0, end));
    if (end == std::string_view::npos) return wrapped.take();
    text.remove_prefix(end + 1);
  }
}

} // namespace model_validator
