#include "files/python_source.h"

#include "files/real_path.h"
#include "files/regular_file.h"

#include <algorithm>

namespace model_validator {
namespace {

constexpr std::uint64_t largest = std::uint64_t{8} << 20;

/// Where the comment of a line begins, or the line ends. A line within a longer string is read as
/// code, which does for comparing it with what it was.
std::size_t comment_in(std::string_view line) {
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != 0 && c == '\\')
      ++at;
    else if (quote != 0)
      quote = c == quote ? '\0' : quote;
    else if (c == '#')
      return at;
    else if (c == '"' || c == '\'')
      quote = c;
  }
  return line.size();
}

std::string_view code_of(std::string_view line) {
  line = line.substr(0, comment_in(line));
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

} // namespace

bool is_source(const std::filesystem::path& file, const std::vector<std::filesystem::path>& roots) {
  return real_path(file).extension() == ".py" &&
         (lies_beneath(file, ".") ||
          std::ranges::any_of(roots, [&](const auto& root) { return lies_beneath(file, root); }));
}

bool is_same_code(std::string_view line, std::string_view other) {
  return code_of(line) == code_of(other);
}

PythonSource::Text PythonSource::read(const std::string& file) {
  if (!is_source(file, roots_)) return {};
  Text text{read_regular_file(file, std::min(largest, left_)).bytes, {}};
  left_ -= std::min<std::uint64_t>(left_, text.bytes.size());
  for (std::size_t begin = 0; begin < text.bytes.size();) {
    text.lines.push_back(static_cast<std::uint32_t>(begin));
    begin = std::min(text.bytes.find('\n', begin), text.bytes.size() - 1) + 1;
  }
  return text;
}

const PythonSource::Text& PythonSource::text(const std::string& file) {
  const auto [place, added] = files_.try_emplace(file);
  if (added) place->second = read(file);
  return place->second;
}

std::string PythonSource::line(const std::string& file, int number) {
  const auto& [bytes, lines] = text(file);
  const auto index = static_cast<std::size_t>(number) - 1;
  if (number <= 0 || index >= lines.size()) return {};
  const std::size_t end = std::min<std::size_t>(bytes.find('\n', lines[index]), bytes.size());
  return end - lines[index] > max_line_length ? std::string()
                                              : bytes.substr(lines[index], end - lines[index]);
}

} // namespace model_validator
