#include "fixes/python/text_edit.h"

#include <algorithm>
#include <tuple>

namespace model_validator::fixes {
namespace {

auto place(const TextEdit& edit) {
  return std::make_tuple(edit.begin, edit.end, edit.rank, std::cref(edit.text));
}

} // namespace

void sort_edits(std::vector<TextEdit>& edits) {
  std::ranges::sort(edits,
                    [](const TextEdit& a, const TextEdit& b) { return place(a) < place(b); });
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
}

bool edits_overlap(const std::vector<TextEdit>& sorted) {
  return std::ranges::adjacent_find(sorted, [](const auto& a, const auto& b) {
           return b.begin < a.end || (a.begin == b.begin && a.end == b.end && a.begin < a.end);
         }) != sorted.end();
}

namespace {

/// Whether the line of a place ends in `\r\n`; the last line as the one before it.
bool ends_in_two(const std::string& text, std::size_t place) {
  auto end = text.find('\n', place);
  if (end == std::string::npos) end = text.rfind('\n');
  return end != std::string::npos && end > 0 && text[end - 1] == '\r';
}

} // namespace

void end_lines_as(const std::string& text, std::vector<TextEdit>& edits) {
  for (TextEdit& edit : edits) {
    if (!ends_in_two(text, edit.begin)) continue;
    for (std::size_t at = edit.text.find('\n'); at != std::string::npos;
         at = edit.text.find('\n', at + 2))
      if (at == 0 || edit.text[at - 1] != '\r') edit.text.insert(at, 1, '\r');
  }
}

std::size_t start_of_line(std::string_view text, std::size_t at) {
  const auto before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t end_of_line(const std::string& text, std::size_t at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return end > at && text[end - 1] == '\r' ? end - 1 : end;
}

std::string apply_edits(const std::string& text, const std::vector<TextEdit>& sorted) {
  std::string result;
  std::size_t done = 0;
  for (const TextEdit& edit : sorted) {
    result.append(text, done, edit.begin - done).append(edit.text);
    done = edit.end;
  }
  return result.append(text, done);
}

} // namespace model_validator::fixes
