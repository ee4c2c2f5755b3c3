#include "fixes/python/mention.h"

#include <algorithm>
#include <filesystem>

namespace model_validator::fixes {
namespace {

constexpr std::size_t max_shown_length = 80;

} // namespace

Mention mention_of(const std::string& path, int line, std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(begin);
  text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
  return {path, line, std::string(text.substr(0, max_shown_length))};
}

void add_lines_where(const std::string& path, std::string_view text,
                     const std::function<bool(std::string_view line)>& is_wanted,
                     std::vector<Mention>& found) {
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (is_wanted(line)) found.push_back(mention_of(path, number, line));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

std::string in_words(const Mention& mention) {
  return "line " + std::to_string(mention.line) + " of `" +
         std::filesystem::path(mention.path).filename().string() + "` mentions it: `" +
         mention.code + '`';
}

} // namespace model_validator::fixes
