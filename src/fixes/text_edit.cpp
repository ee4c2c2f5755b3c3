#include "fixes/text_edit.h"

#include <algorithm>
#include <tuple>

namespace model_validator::fixes {
namespace {

auto place(const TextEdit& edit) {
  return std::make_tuple(edit.begin, edit.end, edit.rank, std::cref(edit.text));
}

} // namespace

void sort_edits(std::vector<TextEdit>& edits) {
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& a, const TextEdit& b) { return place(a) < place(b); });
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
}

bool edits_overlap(const std::vector<TextEdit>& sorted) {
  return std::adjacent_find(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
           return b.begin < a.end || (a.begin == b.begin && a.end == b.end && a.begin < a.end);
         }) != sorted.end();
}

void end_lines_as(const std::string& text, std::vector<TextEdit>& edits) {
  if (text.find("\r\n") == std::string::npos) return;
  for (TextEdit& edit : edits)
    for (std::size_t at = edit.text.find('\n'); at != std::string::npos;
         at = edit.text.find('\n', at + 2))
      if (at == 0 || edit.text[at - 1] != '\r') edit.text.insert(at, 1, '\r');
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
